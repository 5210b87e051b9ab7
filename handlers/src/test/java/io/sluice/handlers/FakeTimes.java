package io.sluice.handlers;

import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Ticker;
import io.sluice.offload.Deadline;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The time limits of a {@link FakeExchange}. Confined to its event loop, except for {@link #progress()}. */
final class FakeTimes {
    private static final long NEVER = Long.MAX_VALUE;

    private final FakeExchange exchange;
    private final Ticker clock;
    private final long startNanos;
    private TimeLimits limits = new TimeLimits(Optional.empty(), Optional.empty(), Optional.empty());
    private volatile long progressNanos;
    private Future<?> next;

    FakeTimes(FakeExchange exchange) {
        this.exchange = exchange;
        clock = exchange.eventLoop().ticker();
        startNanos = clock.nanoTime();
        progressNanos = startNanos;
    }

    void limit(TimeLimits others) {
        limits = limits.strictest(others);
        look();
    }

    Deadline deadline() {
        return limits.total().map(total -> new Deadline(startNanos + total.toNanos(), clock))
                .orElseGet(() -> Deadline.never(clock));
    }

    /** Records that bytes of either body have moved. Any thread. */
    void progress() {
        progressNanos = clock.nanoTime();
    }

    /** Ends the exchange if a limit has passed, and otherwise schedules the next check. */
    void look() {
        stop();
        if (exchange.isOver()) {
            return;
        }
        if (exchange.waitsForClient()) {
            progress();
        }
        long left = Math.min(limits.total().isPresent() ? deadline().remainingNanos() : NEVER,
                (exchange.answer().hasBegun() ? limits.idle() : limits.firstByte())
                        .map(limit -> progressNanos + limit.toNanos() - clock.nanoTime()).orElse(NEVER));
        if (left <= 0) {
            exchange.expire();
        } else if (left != NEVER) {
            next = exchange.eventLoop().schedule(this::look, left, TimeUnit.NANOSECONDS);
        }
    }

    void stop() {
        if (next != null) {
            next.cancel(false);
        }
    }
}
