package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Timer;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.gateway.loop.LoopWatchdog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Meters how long event loops take to run a submitted task, and warns of blocked ones. */
public final class EventLoopMonitor implements LoopWatchdog.Observer {
    private static final Logger log = LoggerFactory.getLogger(EventLoopMonitor.class);

    private final List<Timer> lags = new ArrayList<>();

    private EventLoopMonitor() {
    }

    /** Starts the watchdog of a group's loops, which also keeps the clock of the meters going. */
    public static LoopWatchdog start(EventLoopGroup group, Duration threshold, Meters meters) {
        var monitor = new EventLoopMonitor();
        for (EventExecutor _ : group) {
            monitor.lags.add(meters.lag(Integer.toString(monitor.lags.size())));
        }
        var watchdog = new LoopWatchdog(group, threshold, monitor);
        group.forEach(loop -> watchdog.run((EventLoop) loop, meters::tick));
        return watchdog;
    }

    @Override
    public void ran(int loop, long nanos) {
        lags.get(loop).record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void blocked(Duration time, @Nullable String route, StackTraceElement[] stack) {
        var where = new Exception("the event loop's stack");
        where.setStackTrace(stack);
        log.warn("an event loop has been blocked for {} ms; its task runs for route {}", time.toMillis(),
                route == null ? "-" : route, where);
    }
}
