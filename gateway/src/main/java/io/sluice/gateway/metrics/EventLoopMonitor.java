package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Timer;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.gateway.loop.MeteredLoop;
import io.sluice.gateway.net.LoopTicks;
import io.sluice.offload.Guard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects blocked event loops. A thread regularly submits a task to each loop, meters how long the loop takes
 * to run it, and reports a loop that does not within the threshold, with the route and the stack of its
 * current task. The submitted task also runs the periodic steps of {@link LoopTicks}. An error in a step or a
 * report stops no other.
 */
public final class EventLoopMonitor implements LoopTicks, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EventLoopMonitor.class);
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS);

    private final List<Loop> loops = new ArrayList<>();
    private final Duration threshold;
    private final Meters meters;
    private final Report report;
    private final Guard guard = new Guard(log,
            "a step of the watch over event loops failed; it is done again");
    private final Thread watcher;
    private volatile boolean closed;

    /** Receives reports of blocked loops. */
    @FunctionalInterface
    interface Report {
        /**
         * Reports a blocked loop, on the watcher's thread.
         *
         * @param time for which the submitted task has waited
         * @param route of the loop's current task; null if it runs for none
         * @param stack of the loop's thread
         */
        void blocked(Duration time, String route, StackTraceElement[] stack);
    }

    /**
     * Starts to watch the loops of a group, which must be {@link MeteredLoop}s, and logs those that are
     * blocked for the threshold.
     */
    public EventLoopMonitor(EventLoopGroup group, Duration threshold, Meters meters) {
        this(group, threshold, meters, EventLoopMonitor::warn);
    }

    EventLoopMonitor(EventLoopGroup group, Duration threshold, Meters meters, Report report) {
        this.threshold = threshold;
        this.meters = meters;
        this.report = report;
        int number = 0;
        for (EventExecutor executor : group) {
            loops.add(new Loop((MeteredLoop) executor, meters.lag(Integer.toString(number++))));
        }
        loops.forEach(Loop::check);
        watcher = Thread.ofPlatform().name("loop-watcher").daemon().start(this::watch);
    }

    /**
     * Runs a step on one of these loops, each time that the loop runs the submitted task.
     *
     * @throws NoSuchElementException if the loop is not one of these
     */
    @Override
    public void run(EventLoop loop, Runnable step) {
        loops.stream().filter(watched -> watched.executor == loop).findFirst().orElseThrow().steps.add(step);
    }

    private void watch() {
        long period = Math.min(PERIOD_NANOS, threshold.toNanos() / 4);
        Runnable check = () -> loops.forEach(loop -> guard.run(loop::check));
        while (!closed) {
            LockSupport.parkNanos(period);
            guard.run(check);
        }
    }

    private static void warn(Duration blocked, String route, StackTraceElement[] stack) {
        var where = new Exception("the event loop's stack");
        where.setStackTrace(stack);
        log.warn("an event loop has been blocked for {} ms; its task runs for route {}", blocked.toMillis(),
                route == null ? "-" : route, where);
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(watcher);
    }

    private final class Loop {
        private final MeteredLoop executor;
        private final Timer lag;
        private final List<Runnable> steps = new CopyOnWriteArrayList<>();
        /** The time at which the last task was submitted. */
        private long submitted = System.nanoTime() - PERIOD_NANOS;
        /** The time at which the last task that has run was submitted. */
        private volatile long submittedOfRun = submitted;
        private boolean reported;

        Loop(MeteredLoop executor, Timer lag) {
            this.executor = executor;
            this.lag = lag;
        }

        /** Submits a task, or reports the loop. On the watcher's thread, and once before that starts. */
        void check() {
            long now = System.nanoTime();
            long since = now - submitted;
            if (submittedOfRun == submitted) {
                if (since >= PERIOD_NANOS && !executor.isShuttingDown()) {
                    executor.execute(() -> ran(now));
                    submitted = now;
                    reported = false;
                }
            } else if (!reported && since > threshold.toNanos()) {
                reported = true;
                report.blocked(Duration.ofNanos(since), executor.tasks().route(),
                        executor.threadProperties().stackTrace());
            }
        }

        private void ran(long at) {
            submittedOfRun = at;
            guard.run(() -> lag.record(System.nanoTime() - at, TimeUnit.NANOSECONDS));
            guard.run(meters::tick);
            steps.forEach(guard::run);
        }
    }
}
