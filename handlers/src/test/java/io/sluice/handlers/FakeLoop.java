package io.sluice.handlers;

import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.local.LocalIoHandler;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** An event loop on the test's thread, with a clock that only the test advances. */
final class FakeLoop {
    private static final Duration STEP = Duration.ofMillis(100);

    private final MockTicker clock = Ticker.newMockTicker();
    private final ManualIoEventLoop loop =
            new ManualIoEventLoop(null, Thread.currentThread(), LocalIoHandler.newFactory(), clock);

    EventExecutor executor() {
        return loop;
    }

    /** Runs a step at once if called on the event loop, otherwise later. */
    void run(Runnable step) {
        if (loop.inEventLoop()) {
            step.run();
        } else {
            loop.execute(step);
        }
    }

    /** Runs all waiting tasks. On the event loop. */
    void settle() {
        loop.runNow();
    }

    /** Advances the clock in steps, and runs the tasks that become due. On the event loop. */
    void pass(Duration time) {
        settle();
        for (Duration left = time; left.isPositive(); left = left.minus(STEP)) {
            clock.advance(Math.min(left.toNanos(), STEP.toNanos()), TimeUnit.NANOSECONDS);
            settle();
        }
    }
}
