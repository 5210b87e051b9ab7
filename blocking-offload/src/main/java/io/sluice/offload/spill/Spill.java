package io.sluice.offload.spill;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.AbstractReferenceCounted;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.Offload;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes on disk, in blocks of a {@link SpillSpace}, which are freed when the last reference is released.
 * Written by one thread, and then read by one at a time. Reads and writes block.
 */
public final class Spill extends AbstractReferenceCounted {
    private final SpillSpace space;
    private final ClientNetwork client;
    private @Nullable FileChannel file;
    private int[] blocks = new int[4];
    private int count;
    private long size;

    Spill(SpillSpace space, ClientNetwork client) {
        this.space = space;
        this.client = client;
    }

    /** Returns the number of bytes that have been written. */
    public long size() {
        return size;
    }

    /**
     * Appends the readable bytes of a buffer.
     *
     * @param bytes is read, not released
     * @throws SpillException if no space is left or the disk fails; further writes are not allowed then
     */
    public void write(ByteBuf bytes) {
        try {
            while (bytes.isReadable()) {
                writeToBlock(bytes);
            }
        } catch (SpillException e) {
            throw space.refused(e);
        } catch (IOException e) {
            throw space.refused(e);
        }
    }

    private void writeToBlock(ByteBuf bytes) throws IOException {
        int offset = (int) (size % SpillSpace.BLOCK);
        if (offset == 0) {
            addBlock();
        }
        int length = Math.min(bytes.readableBytes(), SpillSpace.BLOCK - offset);
        size += bytes.readBytes(file(), position(size), length);
    }

    private void addBlock() throws IOException {
        if (count == blocks.length) {
            blocks = Arrays.copyOf(blocks, 2 * count);
        }
        blocks[count] = space.take(client);
        count++;
    }

    private FileChannel file() throws IOException {
        if (file == null) {
            file = space.file();
        }
        return file;
    }

    /**
     * Reads from a position to the end of its block at most.
     *
     * @return at least one byte if the position is before the end; owned by the caller
     * @throws SpillException if the disk fails
     */
    public ByteBuf read(ByteBufAllocator alloc, long from) {
        try {
            return readFromBlock(alloc, from);
        } catch (IOException e) {
            throw space.refused(e);
        }
    }

    private ByteBuf readFromBlock(ByteBufAllocator alloc, long from) throws IOException {
        int length = (int) Math.min(size - from, SpillSpace.BLOCK - from % SpillSpace.BLOCK);
        ByteBuf bytes = alloc.directBuffer(length, length);
        try {
            while (bytes.isWritable()) {
                long at = position(from + bytes.readableBytes());
                if (bytes.writeBytes(file(), at, bytes.writableBytes()) < 0) {
                    throw new EOFException("a temporary file was cut short");
                }
            }
            return bytes;
        } catch (IOException | RuntimeException e) {
            bytes.release();
            throw e;
        }
    }

    /** Returns the pool that reads spills. */
    public Offload workers() {
        return space.workers();
    }

    private long position(long at) {
        return (long) blocks[(int) (at / SpillSpace.BLOCK)] * SpillSpace.BLOCK + at % SpillSpace.BLOCK;
    }

    @Override
    protected void deallocate() {
        space.blocks().giveBack(client, blocks, count);
    }

    @Override
    public Spill retain() {
        super.retain();
        return this;
    }

    @Override
    public Spill touch(Object hint) {
        return this;
    }
}
