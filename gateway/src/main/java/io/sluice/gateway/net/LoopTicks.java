package io.sluice.gateway.net;

import io.netty.channel.EventLoop;
import io.sluice.offload.Guard;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/** Has something done on an event loop about ten times a second. */
@FunctionalInterface
public interface LoopTicks {
    /** In milliseconds. */
    long PERIOD = 100;

    /** By a timer of the loop's own, which makes it ask for the time whenever it comes round. */
    LoopTicks OWN_TIMERS = (loop, step) -> {
        var guard = new Guard(LoggerFactory.getLogger(LoopTicks.class),
                "a step of an event loop failed; it is done again");
        loop.scheduleAtFixedRate(() -> guard.run(step), PERIOD, PERIOD, TimeUnit.MILLISECONDS);
    };

    /**
     * From now on, until the loop ends, or its ticks do. A step that throws is logged, and done again.
     * Any thread.
     */
    void run(EventLoop loop, Runnable step);
}
