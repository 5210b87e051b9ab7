package io.sluice.gateway.websocket;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.Future;
import io.sluice.gateway.net.LingeringClose;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How a socket comes to its end (RFC 6455 section 7): whoever begins it, and however long it takes. */
final class ClosingHandshake {
    private final ChannelHandlerContext ctx;
    private final SocketReader reader;
    private final SocketWriter writer;
    private final Duration timeout;
    private final Runnable begun;
    private State state = State.OPEN;
    private Future<?> timer;

    private enum State {
        OPEN,
        /** We have said that we close, and wait for the client to say so; its messages are dropped. */
        CLOSING,
        /** What still comes is dropped. */
        OVER
    }

    /**
     * For an open socket.
     *
     * @param timeout until the connection is closed, whatever the client does
     * @param begun is called once, as soon as the socket is not open any more
     */
    ClosingHandshake(ChannelHandlerContext ctx, SocketReader reader, SocketWriter writer, Duration timeout,
                     Runnable begun) {
        this.ctx = ctx;
        this.reader = reader;
        this.writer = writer;
        this.timeout = timeout;
        this.begun = begun;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    /** Begins it; the client is expected to answer. */
    void close(WebSocketCloseStatus status) {
        if (isOpen()) {
            writer.close(status);
            enter(State.CLOSING);
        }
    }

    /** The client has begun it, or has answered. */
    void answer(WebSocketCloseStatus status) {
        if (state == State.OVER) {
            return;
        }
        if (isOpen()) {
            writer.close(status);
        }
        enter(State.OVER);
        ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> ctx.close());
    }

    /** Begins and ends it: this client cannot be expected to answer. */
    void fail(WebSocketCloseStatus status) {
        if (state == State.OVER) {
            return;
        }
        if (isOpen()) {
            writer.close(status);
        }
        enter(State.OVER);
        LingeringClose.close(ctx);
    }

    /** The connection has ended. */
    void gone() {
        enter(State.OVER);
        if (timer != null) {
            timer.cancel(false);
        }
    }

    private void enter(State next) {
        boolean first = isOpen();
        state = next;
        if (next == State.OVER) {
            reader.end();
        }
        if (first) {
            if (ctx.channel().isActive()) {
                timer = ctx.executor().schedule(() -> ctx.close(), timeout.toMillis(), TimeUnit.MILLISECONDS);
            }
            writer.release();
            begun.run();
        }
    }
}
