package io.sluice.handlers.files;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.FileRegion;
import io.netty.util.AbstractReferenceCounted;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is open for reading, with the size and the time of change that it had then. Whoever uses it
 * holds a reference; it is closed with the last of them, so that closing waits for nobody's read.
 */
final class OpenFile extends AbstractReferenceCounted {
    private static final Logger log = LoggerFactory.getLogger(OpenFile.class);

    private final FileChannel channel;
    private final long size;
    private final Instant changed;

    OpenFile(FileChannel channel, long size, Instant changed) {
        this.channel = channel;
        this.size = size;
        this.changed = changed;
    }

    /** In bytes. */
    long size() {
        return size;
    }

    Instant changed() {
        return changed;
    }

    /**
     * Reads so many bytes from a position on; blocks.
     *
     * @return owned by the caller
     * @throws EOFException where the file has become shorter
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

    /** A piece of it for the kernel to send. It does not close the file: others follow. */
    FileRegion piece(long position, long length) {
        return new DefaultFileRegion(channel, position, length) {
            @Override
            protected void deallocate() {
                // Ours.
            }
        };
    }

    /** Why a piece that ends there was not sent, if it is the file's fault; null if not. */
    EOFException fault(long end) {
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
    protected void deallocate() {
        try {
            channel.close();
        } catch (IOException e) {
            log.warn("a file could not be closed", e);
        }
    }

    @Override
    public OpenFile retain() {
        super.retain();
        return this;
    }

    @Override
    public OpenFile touch(Object hint) {
        return this;
    }
}
