package io.sluice.gateway.filter;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Compresses one body, piece by piece. Holds native memory until it is closed. Used by one thread at a time.
 */
final class BodyCompressor implements AutoCloseable {
    private final ContentCoding coding;
    private final ByteBufAllocator alloc;
    private final Sink sink = new Sink();
    /** Null until the first piece. */
    private @Nullable OutputStream coder;

    BodyCompressor(ContentCoding coding, ByteBufAllocator alloc) {
        this.coding = coding;
        this.alloc = alloc;
    }

    /** Collects the encoder's output; drops it when no buffer is set. */
    private static final class Sink extends OutputStream {
        private @Nullable ByteBuf output;

        @Override
        public void write(int b) {
            if (output != null) {
                output.writeByte(b);
            }
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            if (output != null) {
                output.writeBytes(bytes, offset, length);
            }
        }
    }

    /** An operation that makes the encoder write. */
    @FunctionalInterface
    private interface Step {
        void run(OutputStream coder) throws IOException;
    }

    /**
     * Compresses a piece and releases it.
     *
     * @return the compressed bytes, flushed; the caller owns them
     */
    ByteBuf compress(ByteBuf piece) throws IOException {
        try {
            return output(piece.readableBytes() / 2, coder -> {
                piece.readBytes(coder, piece.readableBytes());
                coder.flush();
            });
        } finally {
            piece.release();
        }
    }

    /** Ends the body and closes this; returns the end of the compressed body, which the caller owns. */
    ByteBuf finish() throws IOException {
        return output(0, _ -> close());
    }

    private ByteBuf output(int expected, Step step) throws IOException {
        ByteBuf output = alloc.buffer(expected + 64);
        sink.output = output;
        try {
            OutputStream to = coder == null ? coding.into(sink) : coder;
            coder = to;
            step.run(to);
            return output;
        } catch (Throwable e) {
            output.release();
            throw e;
        } finally {
            sink.output = null;
        }
    }

    @Override
    public void close() throws IOException {
        if (coder != null) {
            coder.close();
        }
    }
}
