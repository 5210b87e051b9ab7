package io.sluice.offload.spill;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.AbstractReferenceCounted;
import io.sluice.offload.ClientNetwork;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * Bytes that are kept on disk, in blocks of a {@link SpillSpace}, until the last reference is released.
 * Written by one thread, and then read by one at a time. Reading and writing block.
 */
public final class Spill extends AbstractReferenceCounted {
    private final SpillSpace space;
    private final ClientNetwork client;
    private FileChannel file;
    private int[] blocks = new int[4];
    private int count;
    private long size;

    Spill(SpillSpace space, ClientNetwork client) {
        this.space = space;
        this.client = client;
    }

    /** The bytes that have been written. */
    public long size() {
        return size;
    }

    /**
     * Writes all that is readable of a buffer behind what has been written.
     *
     * @param bytes stays its owner's
     * @throws IOException where no space is left, or the disk is full
     */
    public void write(ByteBuf bytes) throws IOException {
        while (bytes.isReadable()) {
            int offset = (int) (size % SpillSpace.BLOCK);
            if (offset == 0) {
                addBlock();
            }
            int length = Math.min(bytes.readableBytes(), SpillSpace.BLOCK - offset);
            int written = bytes.readBytes(file, position(size), length);
            size += written;
        }
    }

    private void addBlock() throws IOException {
        if (file == null) {
            file = space.file();
        }
        if (count == blocks.length) {
            blocks = Arrays.copyOf(blocks, 2 * count);
        }
        blocks[count] = space.take(client);
        count++;
    }

    /**
     * Reads from a position on, at most to the end of a block.
     *
     * @return at least one byte, where the position is before the end; owned by the caller
     */
    public ByteBuf read(ByteBufAllocator alloc, long from) throws IOException {
        int length = (int) Math.min(size - from, SpillSpace.BLOCK - from % SpillSpace.BLOCK);
        ByteBuf bytes = alloc.directBuffer(length, length);
        try {
            while (bytes.isWritable()) {
                long at = position(from + bytes.readableBytes());
                if (bytes.writeBytes(file, at, bytes.writableBytes()) < 0) {
                    throw new EOFException("a temporary file was cut short");
                }
            }
            return bytes;
        } catch (IOException | RuntimeException e) {
            bytes.release();
            throw e;
        }
    }

    private long position(long at) {
        return (long) blocks[(int) (at / SpillSpace.BLOCK)] * SpillSpace.BLOCK + at % SpillSpace.BLOCK;
    }

    @Override
    protected void deallocate() {
        for (int i = 0; i < count; i++) {
            space.giveBack(client, blocks[i]);
        }
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
