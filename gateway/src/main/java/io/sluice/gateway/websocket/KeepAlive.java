package io.sluice.gateway.websocket;

import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.SocketConfig;
import io.sluice.config.TimeoutsConfig;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.gateway.net.MinimumRate;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Pings a client that has been silent for the ping interval, and closes its socket at the idle timeout, or
 * when a message that it has begun arrives too slowly. On the event loop.
 */
final class KeepAlive implements Runnable {
    private static final WebSocketCloseStatus SILENT = new WebSocketCloseStatus(
            WebSocketCloseStatus.ENDPOINT_UNAVAILABLE.code(), "nothing was heard for too long");
    private static final WebSocketCloseStatus SLOW = new WebSocketCloseStatus(
            WebSocketCloseStatus.POLICY_VIOLATION.code(), "the message comes too slowly");

    /** The longest time until a reload of the intervals reaches a silent socket. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final WebSocketConnection connection;
    private final SocketReader reader;
    private final SocketWriter writer;
    private final TimeoutsConfig timeouts;
    private final EventExecutor executor;
    private long heardNanos;
    private long pingedNanos;
    /** The number of the message whose rest is awaited; 0 if there is none. */
    private long awaited;
    private @Nullable MinimumRate sending;
    private Future<?> timer;
    /** Indicates whether the timer is due within a stall, as a message has begun. */
    private boolean soon;

    KeepAlive(WebSocketConnection connection, SocketReader reader, SocketWriter writer,
              TimeoutsConfig timeouts) {
        this.connection = connection;
        this.reader = reader;
        this.writer = writer;
        this.timeouts = timeouts;
        executor = connection.eventLoop();
        heard();
        pingedNanos = heardNanos;
        checkAgainIn(connection.config().pingInterval().toNanos());
    }

    /** Notes that bytes have arrived from the client. */
    void heard() {
        heardNanos = executor.ticker().nanoTime();
    }

    /** Watches the pace from here on, if a message has begun. */
    void onReadEnd() {
        if (!soon && reader.unfinished() > 0 && timer.cancel(false)) {
            run();
        }
    }

    @Override
    public void run() {
        try {
            check();
        } catch (Throwable e) {
            connection.failed(e); // the timer is not rescheduled
        }
    }

    private void check() {
        SocketConfig config = connection.config();
        long now = executor.ticker().nanoTime();
        long ping = config.pingInterval().toNanos();
        boolean delayed = keepsClientWaiting() || writer.isTaken();
        if (delayed && now - heardNanos > ping) {
            // Its pongs may be among the input that is not read yet, or it is still reading output in front
            // of the ping. It is pinged, but not closed.
            heardNanos = now - ping;
        }
        long silent = now - heardNanos;
        long left = config.idleTimeout().toNanos() - silent;
        if (left <= 0) {
            connection.fail(SILENT);
        } else if (sendsTooSlowly(now)) {
            connection.fail(SLOW);
        } else {
            long quiet = Math.min(silent, now - pingedNanos);
            if (quiet >= ping) {
                writer.ping();
                pingedNanos = now;
                quiet = 0;
            }
            checkAgainIn(Math.min(ping - quiet, left));
        }
    }

    /**
     * Returns whether the gateway delays this socket: its client has sent input that waits, and reads. While
     * memory is short, the connection does not tell whether it reads.
     */
    private boolean keepsClientWaiting() {
        return reader.keepsBack() && (connection.isWritable() || DirectMemory.isShort());
    }

    private boolean sendsTooSlowly(long now) {
        long message = reader.keepsBack() ? 0 : reader.unfinished();
        if (message != awaited) {
            awaited = message;
            sending = message == 0 ? null : MinimumRate.ofSocket(timeouts);
        }
        return sending != null && sending.isTooSlow(true, reader.collected(), now);
    }

    private void checkAgainIn(long nanos) {
        soon = reader.unfinished() > 0;
        long delay = Math.min(nanos, soon ? timeouts.stall().toNanos() : LOOK_NANOS);
        timer = executor.schedule(this, delay, TimeUnit.NANOSECONDS);
    }

    void stop() {
        timer.cancel(false);
    }
}
