package io.sluice.gateway.websocket;

import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.TunnelConnection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The closing handshake of one WebSocket, begun by either side (RFC 6455 section 7), with a time limit after
 * which the connection is reset. On the event loop.
 */
final class ClosingHandshake {
    private final TunnelConnection connection;
    private final SocketReader reader;
    private final SocketWriter writer;
    private Duration timeout;
    private final Runnable begun;
    private State state = State.OPEN;
    private @Nullable Future<?> timer;

    private enum State {
        OPEN,
        /**
         * The gateway has sent its close frame and waits for the client's; the client's messages are dropped.
         */
        CLOSING,
        /** The handshake is over; any further input is dropped. */
        OVER
    }

    /**
     * The handshake of a socket that is open.
     *
     * @param timeout from the start of the handshake until the connection is reset, whatever the client does
     * @param begun called once, as soon as the socket is no longer open
     */
    ClosingHandshake(TunnelConnection connection, SocketReader reader, SocketWriter writer,
                     Duration timeout, Runnable begun) {
        this.connection = connection;
        this.reader = reader;
        this.writer = writer;
        this.timeout = timeout;
        this.begun = begun;
    }

    /** Changes the timeout; no effect once the handshake has begun. */
    void limit(Duration time) {
        timeout = time;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    /** Sends a close frame and waits for the client's reply. */
    void close(WebSocketCloseStatus status) {
        if (isOpen()) {
            writer.close(status);
            enter(State.CLOSING);
        }
    }

    /**
     * Ends the handshake: the client has sent its close frame, or cannot be expected to send one. Sends the
     * gateway's close frame if that has not been sent, then closes the connection.
     */
    void end(WebSocketCloseStatus status) {
        if (state == State.OVER) {
            return;
        }
        if (isOpen()) {
            writer.close(status);
        }
        enter(State.OVER);
        writer.closeWhenWritten();
    }

    /** Cleans up after the connection has been closed. */
    void closed() {
        enter(State.OVER);
        writer.drop();
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
