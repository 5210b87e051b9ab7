package io.sluice.handlers.files;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.FileRegion;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is open for reading, with its state at the time of opening. It has one owner at a time, which
 * reads it, passes it on or closes it, so it is never closed during a read.
 */
final class OpenFile implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OpenFile.class);

    private final FileChannel channel;
    private final FileStat state;

    OpenFile(FileChannel channel, FileStat state) {
        this.channel = channel;
        this.state = state;
    }

    FileStat state() {
        return state;
    }

    /** Returns the size in bytes. */
    long size() {
        return state.size();
    }

    Instant changed() {
        return state.changed().toInstant();
    }

    /**
     * Reads bytes from a position. Blocks.
     *
     * @return owned by the caller
     * @throws EOFException if the file has become shorter
     */
    ByteBuf read(ByteBufAllocator alloc, long position, int length) throws IOException {
        ByteBuf buffer = alloc.directBuffer(Math.max(1, length), Math.max(1, length));
        try {
            while (buffer.readableBytes() < length) {
                int read = buffer.writeBytes(channel, position + buffer.readableBytes(),
                        length - buffer.readableBytes());
                if (read < 0) {
                    throw cutShort();
                }
            }
            return buffer;
        } catch (IOException | RuntimeException e) {
            buffer.release();
            throw e;
        }
    }

    /**
     * Returns a piece for the kernel to send, which owns the file until the piece is released.
     *
     * @param onRelease takes the file back
     */
    FileRegion piece(long position, long length, Runnable onRelease) {
        return new DefaultFileRegion(channel, position, length) {
            @Override
            protected void deallocate() {
                onRelease.run();
            }
        };
    }

    /** Returns why a piece that ends there was not sent, if the file has become shorter; otherwise null. */
    @Nullable EOFException fault(long end) {
        try {
            return channel.size() < end ? cutShort() : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static EOFException cutShort() {
        return new EOFException("a file was cut short while it was sent");
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            log.warn("a file could not be closed", e);
        }
    }
}
