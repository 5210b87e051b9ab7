package io.sluice.gateway.websocket;

import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.SocketConfig;
import java.util.concurrent.TimeUnit;

/** Pings a client that is silent, and gives up one that stays so. */
final class KeepAlive implements Runnable {
    private static final WebSocketCloseStatus SILENT = new WebSocketCloseStatus(
            WebSocketCloseStatus.ENDPOINT_UNAVAILABLE.code(), "nothing was heard for too long");

    private final WebSocketConnection connection;
    private final EventExecutor executor;
    private long heardNanos;
    private Future<?> timer;

    KeepAlive(WebSocketConnection connection, EventExecutor executor) {
        this.connection = connection;
        this.executor = executor;
        heard();
        lookAgainIn(connection.config().pingInterval().toNanos());
    }

    /** Something has come. */
    void heard() {
        heardNanos = executor.ticker().nanoTime();
    }

    @Override
    public void run() {
        try {
            look();
        } catch (Throwable e) {
            connection.failed(e); // nobody would look again
        }
    }

    private void look() {
        SocketConfig config = connection.config();
        long ping = config.pingInterval().toNanos();
        if (connection.keepsClientWaiting() || connection.writer().isTaken()) {
            // Its pongs may be among what is not read, or it still reads what stands before its ping: it gets
            // its pings, and is not given up.
            heardNanos = executor.ticker().nanoTime() - ping;
        }
        long silent = executor.ticker().nanoTime() - heardNanos;
        long left = config.idleTimeout().toNanos() - silent;
        if (left <= 0) {
            connection.fail(SILENT);
        } else if (silent >= ping) {
            connection.writer().ping();
            lookAgainIn(Math.min(ping, left));
        } else {
            lookAgainIn(Math.min(ping - silent, left));
        }
    }

    private void lookAgainIn(long nanos) {
        timer = executor.schedule(this, nanos, TimeUnit.NANOSECONDS);
    }

    void stop() {
        timer.cancel(false);
    }
}
