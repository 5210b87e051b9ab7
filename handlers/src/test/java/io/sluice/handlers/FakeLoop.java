package io.sluice.handlers;

import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.local.LocalIoHandler;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** An event loop whose thread is the test's, and whose clock only the test moves. */
final class FakeLoop {
    private static final Duration STEP = Duration.ofMillis(100);

    private final MockTicker clock = Ticker.newMockTicker();
    private final ManualIoEventLoop loop =
            new ManualIoEventLoop(null, Thread.currentThread(), LocalIoHandler.newFactory(), clock);

    EventExecutor executor() {
        return loop;
    }

    /** Runs a step at once on the event loop, later from any other thread. */
    void run(Runnable step) {
        if (loop.inEventLoop()) {
            step.run();
        } else {
            loop.execute(step);
        }
    }

    /** Does what waits. On the event loop. */
    void settle() {
        loop.runNow();
    }

    /** Lets time pass, in steps, and what is due then happen. On the event loop. */
    void pass(Duration time) {
        settle();
        for (Duration left = time; left.isPositive(); left = left.minus(STEP)) {
            clock.advance(Math.min(left.toNanos(), STEP.toNanos()), TimeUnit.NANOSECONDS);
            settle();
        }
    }
}
