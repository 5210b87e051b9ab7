package io.sluice.gateway.pipeline;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;

/** Has something done on an event loop about ten times a second. */
@FunctionalInterface
public interface LoopTicks {
    /** In milliseconds. */
    long PERIOD = 100;

    /** By a timer of the loop's own, which makes it ask for the time whenever it comes round. */
    LoopTicks OWN_TIMERS = (loop, step) ->
            loop.scheduleAtFixedRate(step, PERIOD, PERIOD, TimeUnit.MILLISECONDS);

    /** From now on, until the loop ends, or who ticks does. Any thread. */
    void run(EventLoop loop, Runnable step);
}
