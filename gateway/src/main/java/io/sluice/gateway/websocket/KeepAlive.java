package io.sluice.gateway.websocket;

import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.SocketConfig;
import java.util.concurrent.TimeUnit;

/**
 * Pings a client that has been silent for the ping interval, and closes its socket at the idle timeout. On
 * the event loop.
 */
final class KeepAlive implements Runnable {
    private static final WebSocketCloseStatus SILENT = new WebSocketCloseStatus(
            WebSocketCloseStatus.ENDPOINT_UNAVAILABLE.code(), "nothing was heard for too long");

    private final WebSocketConnection connection;
    private final SocketReader reader;
    private final SocketWriter writer;
    private final EventExecutor executor;
    private long heardNanos;
    private Future<?> timer;

    KeepAlive(WebSocketConnection connection, SocketReader reader, SocketWriter writer) {
        this.connection = connection;
        this.reader = reader;
        this.writer = writer;
        executor = connection.eventLoop();
        heard();
        lookAgainIn(connection.config().pingInterval().toNanos());
    }

    /** Notes that bytes have arrived from the client. */
    void heard() {
        heardNanos = executor.ticker().nanoTime();
    }

    @Override
    public void run() {
        try {
            look();
        } catch (Throwable e) {
            connection.failed(e); // the timer is not rescheduled
        }
    }

    private void look() {
        SocketConfig config = connection.config();
        long ping = config.pingInterval().toNanos();
        if (keepsClientWaiting() || writer.isTaken()) {
            // Its pongs may be among the input that is not read yet, or it is still reading output in front
            // of the ping. It is pinged, but not closed.
            heardNanos = executor.ticker().nanoTime() - ping;
        }
        long silent = executor.ticker().nanoTime() - heardNanos;
        long left = config.idleTimeout().toNanos() - silent;
        if (left <= 0) {
            connection.fail(SILENT);
        } else if (silent >= ping) {
            writer.ping();
            lookAgainIn(Math.min(ping, left));
        } else {
            lookAgainIn(Math.min(ping - silent, left));
        }
    }

    /** Returns whether the gateway delays this socket: its client reads, and has sent input that waits. */
    private boolean keepsClientWaiting() {
        return reader.keepsBack() && connection.isWritable();
    }

    private void lookAgainIn(long nanos) {
        timer = executor.schedule(this, nanos, TimeUnit.NANOSECONDS);
    }

    void stop() {
        timer.cancel(false);
    }
}
