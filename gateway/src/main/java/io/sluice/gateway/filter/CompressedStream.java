package io.sluice.gateway.filter;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A streamed answer that is compressed by the thread that writes it. Each piece can be read as soon as it has
 * arrived. The compressor is closed at the end, or when the exchange is aborted: by its writer if that is at
 * it then, since nobody else may touch it and no event loop should wait.
 */
final class CompressedStream implements ResponseStream {
    private enum State { IDLE, BUSY, OVER }

    private final Exchange exchange;
    private final ResponseStream stream;
    private final BodyCompressor compressor;
    private final Runnable onClose;
    private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);

    /**
     * Compresses what is written to another stream.
     *
     * @param onClose is called once, when nothing is held any more
     */
    CompressedStream(Exchange exchange, ResponseStream stream, ContentCoding coding, Runnable onClose) {
        this.exchange = exchange;
        this.stream = stream;
        compressor = new BodyCompressor(coding, exchange.alloc());
        this.onClose = onClose;
    }

    @Override
    public void write(ByteBuf content) {
        if (!content.isReadable() || !state.compareAndSet(State.IDLE, State.BUSY)) {
            content.release();
            return;
        }
        try {
            stream.write(compressor.compress(content));
        } catch (IOException e) {
            exchange.fail(e);
        } finally {
            if (!state.compareAndSet(State.BUSY, State.IDLE)) {
                close();
            }
        }
    }

    @Override
    public boolean isWritable() {
        return stream.isWritable();
    }

    @Override
    public void onWritable(Runnable action) {
        stream.onWritable(action);
    }

    @Override
    public void end(HttpHeaders trailers) {
        if (state.getAndSet(State.OVER) == State.IDLE) {
            try {
                stream.write(compressor.finish());
            } catch (IOException e) {
                exchange.fail(e);
                return;
            } finally {
                onClose.run();
            }
        }
        stream.end(trailers);
    }

    /** The exchange is over, whatever its writer does. */
    void abandon() {
        if (state.getAndSet(State.OVER) == State.IDLE) {
            close();
        }
    }

    private void close() {
        try {
            compressor.close();
        } catch (IOException e) {
            exchange.fail(e);
        } finally {
            onClose.run();
        }
    }
}
