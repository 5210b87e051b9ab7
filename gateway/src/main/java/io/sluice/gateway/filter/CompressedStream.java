package io.sluice.gateway.filter;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.gateway.net.LoopTurns;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A streamed response that is compressed on the thread that writes it. Each piece is flushed, so that the
 * client can decode it on arrival. The compressor is closed at the end or when the exchange is aborted. If a
 * write runs at that moment, the writing thread closes it: only one thread may use it, and the event loop
 * must not wait. An event loop compresses 64 KiB of another server's response in a turn.
 */
final class CompressedStream implements ResponseStream {
    private enum State { IDLE, BUSY, OVER }

    /** Bytes that an event loop compresses in about a millisecond. */
    private static final int TURN = 64 * 1024;

    private final Exchange exchange;
    private final ResponseStream stream;
    private final BodyCompressor compressor;
    private final boolean inTurns;
    private final Runnable onClose;
    private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
    /** Bytes that the event loop has compressed in this turn. */
    private int inTurn;
    /** Indicates whether this waits for the event loop's next turn. */
    private volatile boolean turnIsOver;
    private Runnable onWritable = () -> { };

    /**
     * Compresses the pieces that are written to another stream.
     *
     * @param inTurns whether the event loop passes on a response of any length, and has other work meanwhile
     * @param onClose called once, after the compressor's memory has been freed
     */
    CompressedStream(Exchange exchange, ResponseStream stream, ContentCoding coding, boolean inTurns,
                     Runnable onClose) {
        this.exchange = exchange;
        this.stream = stream;
        compressor = new BodyCompressor(coding, exchange.alloc());
        this.inTurns = inTurns;
        this.onClose = onClose;
    }

    @Override
    public void write(ByteBuf content) {
        if (!content.isReadable() || !state.compareAndSet(State.IDLE, State.BUSY)) {
            content.release();
            return;
        }
        endTurnAfter(content.readableBytes());
        try {
            stream.write(compressor.compress(content));
        } catch (Throwable e) {
            exchange.fail(e);
        } finally {
            if (!state.compareAndSet(State.BUSY, State.IDLE)) {
                close();
            }
        }
    }

    private void endTurnAfter(int bytes) {
        if (inTurns) {
            inTurn += bytes;
            if (inTurn >= TURN && !turnIsOver) {
                turnIsOver = true;
                LoopTurns.ofThisLoop().add(exchange.eventLoop(), this::beginTurn);
            }
        }
    }

    private void beginTurn() {
        inTurn = 0;
        turnIsOver = false;
        exchange.proceed(_ -> {
            if (stream.isWritable()) {
                onWritable.run();
            }
        });
    }

    @Override
    public void flush() {
        stream.flush();
    }

    @Override
    public boolean isWritable() {
        return !turnIsOver && stream.isWritable();
    }

    @Override
    public void onWritable(Runnable action) {
        onWritable = action;
        stream.onWritable(() -> {
            if (!turnIsOver) {
                action.run();
            }
        });
    }

    @Override
    public void end(HttpHeaders trailers) {
        if (state.getAndSet(State.OVER) == State.IDLE) {
            try {
                stream.write(compressor.finish());
            } catch (Throwable e) {
                exchange.fail(e);
                return;
            } finally {
                onClose.run();
            }
        }
        Compressible.removeDigests(trailers);
        stream.end(trailers);
    }

    /** Closes the compressor because the exchange is over, while its writer may still run. */
    void abandon() {
        if (state.getAndSet(State.OVER) == State.IDLE) {
            close();
        }
    }

    private void close() {
        try {
            compressor.close();
        } catch (Throwable e) {
            exchange.fail(e);
        } finally {
            onClose.run();
        }
    }
}
