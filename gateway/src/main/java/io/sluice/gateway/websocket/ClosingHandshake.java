package io.sluice.gateway.websocket;

import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.TunnelConnection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How a socket comes to its end (RFC 6455 section 7): whoever begins it, and however long it takes. */
final class ClosingHandshake {
    private final TunnelConnection connection;
    private final SocketReader reader;
    private final SocketWriter writer;
    private Duration timeout;
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
    ClosingHandshake(TunnelConnection connection, SocketReader reader, SocketWriter writer,
                     Duration timeout, Runnable begun) {
        this.connection = connection;
        this.reader = reader;
        this.writer = writer;
        this.timeout = timeout;
        this.begun = begun;
    }

    /** Limits its time, where it has not begun. */
    void limit(Duration time) {
        timeout = time;
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

    /** Ends it: the client has begun it or has answered, or cannot be expected to answer. */
    void end(WebSocketCloseStatus status) {
        if (state == State.OVER) {
            return;
        }
        if (isOpen()) {
            writer.close(status);
        }
        enter(State.OVER);
        connection.close();
    }

    /** The connection is closed. */
    void closed() {
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
            timer = connection.eventLoop()
                    .schedule(connection::reset, timeout.toMillis(), TimeUnit.MILLISECONDS);
            writer.release();
            begun.run();
        }
    }
}
