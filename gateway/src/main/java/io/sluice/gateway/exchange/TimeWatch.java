package io.sluice.gateway.exchange;

import io.netty.util.concurrent.Future;
import io.sluice.handlers.TimeLimits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends an exchange that exceeds one of its {@link TimeLimits}. Progress is counted in bytes and compared at
 * each check, so that a stalled exchange is found within 5/4 of its limit. Confined to the event loop.
 */
final class TimeWatch {
    /** The number of progress checks within a limit. */
    private static final int LOOKS = 4;
    private static final long NEVER = Long.MAX_VALUE;
    private static final long NONE = -1;

    private final RoutedExchange exchange;
    private @Nullable Future<?> next;
    private long progress = NONE;
    private long progressNanos;

    TimeWatch(RoutedExchange exchange) {
        this.exchange = exchange;
    }

    /** Checks the limits now, and again when one may have passed. */
    void look() {
        stop();
        TimeLimits limits = exchange.limits();
        if (limits == null) {
            return;
        }
        long left = Math.min(totalLeft(limits),
                progressLeft(exchange.answerBegun() ? limits.idle() : limits.firstByte()));
        if (left <= 0) {
            exchange.expire();
        } else if (left != NEVER) {
            next = exchange.eventLoop().schedule(() -> exchange.logged(this::look), left,
                    TimeUnit.NANOSECONDS);
        }
    }

    /** Restarts the progress limit, for the limit that applies now. */
    void restart() {
        progress = NONE;
        look();
    }

    private long totalLeft(TimeLimits limits) {
        return limits.total().isEmpty() ? NEVER : exchange.deadline().remainingNanos();
    }

    private long progressLeft(Optional<Duration> limit) {
        if (limit.isEmpty()) {
            return NEVER;
        }
        long now = exchange.eventLoop().ticker().nanoTime();
        // The connection's watch limits the time in which the exchange waits for its client.
        if (progress != exchange.progress() || exchange.waitsForClient()) {
            progress = exchange.progress();
            progressNanos = now;
        }
        long left = limit.get().toNanos() - (now - progressNanos);
        return Math.min(left, limit.get().toNanos() / LOOKS);
    }

    void stop() {
        if (next != null) {
            next.cancel(false);
        }
    }
}
