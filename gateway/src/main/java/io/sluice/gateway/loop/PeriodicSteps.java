package io.sluice.gateway.loop;

import io.netty.channel.EventLoop;
import io.sluice.offload.Guard;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/** Runs periodic work on an event loop about ten times a second. */
@FunctionalInterface
public interface PeriodicSteps {
    long PERIOD_MILLIS = 100;

    /** Uses a timer of the loop itself, which makes the loop read the clock in each iteration. */
    PeriodicSteps OWN_TIMERS = (loop, step) -> {
        var guard = new Guard(LoggerFactory.getLogger(PeriodicSteps.class),
                "a step of an event loop failed; it is done again");
        loop.scheduleAtFixedRate(() -> guard.run(step), PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    };

    /**
     * Runs a step periodically from now on, until the loop or its watchdog ends. A step that throws is logged
     * and runs again after the next period. Any thread.
     */
    void run(EventLoop loop, Runnable step);
}
