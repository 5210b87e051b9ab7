package io.sluice.gateway.exchange;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.TimeLimits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends exchanges that exceed one of their {@link TimeLimits}. It watches one exchange at a time. Progress is
 * counted in bytes and compared at each check, so that a stalled exchange is found within 5/4 of its limit.
 *
 * <p>The watch of a connection keeps its timer for the next exchange, since most exchanges end long before
 * their limits: a request then costs no timer. Confined to the event loop.
 */
public final class TimeWatch {
    /** The number of progress checks within a limit. */
    private static final int CHECKS = 4;
    private static final long NEVER = Long.MAX_VALUE;
    private static final long NONE = -1;

    private final boolean keepsTimer;
    /** The exchange that is watched; null between two. */
    private @Nullable RoutedExchange exchange;
    /** Null unless it is set. */
    private @Nullable Future<?> timer;
    /** The time at which the timer ends. */
    private long timerNanos;
    /** The time of the next check; may be later than the timer's end. */
    private long dueNanos;
    private long progress;
    private long progressNanos;
    /** Indicates whether the client need not send anything at the last check. */
    private boolean betweenMessages;

    /**
     * Creates a watch.
     *
     * @param keepsTimer whether other exchanges follow the first one
     */
    public TimeWatch(boolean keepsTimer) {
        this.keepsTimer = keepsTimer;
    }

    /** Begins with an exchange, after the end of the previous one. */
    void begin(RoutedExchange next) {
        exchange = next;
        restart();
    }

    /** Restarts the progress limit, for the limit that applies now. */
    void restart() {
        progress = NONE;
        betweenMessages = false;
        check();
    }

    /** Checks the limits now, and again when one may have passed. */
    void check() {
        RoutedExchange watched = exchange;
        TimeLimits limits = watched == null ? null : watched.limits();
        if (watched == null || limits == null) {
            return;
        }
        long now = watched.eventLoop().ticker().nanoTime();
        long left = Math.min(totalLeft(watched, limits), progressLeft(watched, limits, now));
        if (left <= 0) {
            watched.expire();
        } else if (left != NEVER) {
            checkIn(left, now, watched.eventLoop());
        }
    }

    private static long totalLeft(RoutedExchange watched, TimeLimits limits) {
        return limits.total().isEmpty() ? NEVER : watched.deadline().remainingNanos();
    }

    private long progressLeft(RoutedExchange watched, TimeLimits limits, long now) {
        if (watched.hasResponseStarted()) {
            return progressLeft(watched, limits.idle(), now);
        }
        boolean hasEnded = betweenMessages;
        betweenMessages = watched.isBetweenMessages();
        if (betweenMessages) { // no callback tells its end, so poll
            return Math.min(progressLeft(watched, limits.idle(), now),
                    limits.firstByte().map(limit -> limit.toNanos() / CHECKS).orElse(NEVER));
        }
        if (hasEnded) {
            progress = NONE; // the limit does not count the time between two messages
        }
        return progressLeft(watched, limits.firstByte(), now);
    }

    private long progressLeft(RoutedExchange watched, Optional<Duration> limit, long now) {
        if (limit.isEmpty()) {
            return NEVER;
        }
        // The watches of its connections limit the time in which the exchange waits for its client.
        if (progress != watched.progress() || watched.waitsForClient()) {
            progress = watched.progress();
            progressNanos = now;
        }
        long left = limit.get().toNanos() - (now - progressNanos);
        return Math.min(left, limit.get().toNanos() / CHECKS);
    }

    private void checkIn(long nanos, long now, EventExecutor loop) {
        dueNanos = now + nanos;
        if (timer != null && timerNanos - dueNanos > 0) {
            close();
        }
        if (timer == null) {
            timerNanos = dueNanos;
            timer = loop.schedule(this::timerEnded, nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void timerEnded() {
        timer = null;
        RoutedExchange watched = exchange;
        if (watched == null) {
            return;
        }
        long now = watched.eventLoop().ticker().nanoTime();
        if (dueNanos - now > 0) {
            checkIn(dueNanos - now, now, watched.eventLoop());
        } else {
            watched.runStep(this::check);
        }
    }

    /** Ends the watch over the current exchange. */
    void end() {
        exchange = null;
        if (!keepsTimer) {
            close();
        }
    }

    /** Cancels the timer, as no exchange follows. */
    public void close() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
