package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Timer;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches that event loops come round: each has a timer whose lateness is metered, and a thread
 * outside reports, with the culprit's stack, a loop that has not come round for too long.
 */
public final class EventLoopMonitor implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EventLoopMonitor.class);
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final List<Loop> loops = new ArrayList<>();
    private final Duration threshold;
    private final Meters meters;
    private final BiConsumer<Duration, StackTraceElement[]> report;
    private final Thread watcher;

    /** Meters a group's loops, and logs those that are blocked for longer than the threshold. */
    public EventLoopMonitor(EventLoopGroup group, Duration threshold, Meters meters) {
        this(group, threshold, meters, EventLoopMonitor::warn);
    }

    EventLoopMonitor(EventLoopGroup group, Duration threshold, Meters meters,
                     BiConsumer<Duration, StackTraceElement[]> report) {
        this.threshold = threshold;
        this.meters = meters;
        this.report = report;
        int number = 0;
        for (EventExecutor executor : group) {
            Loop loop = new Loop(executor, meters.lag(Integer.toString(number++)));
            loops.add(loop);
            executor.execute(loop::begin);
        }
        watcher = Thread.ofPlatform().name("loop-watcher").daemon().start(this::watch);
    }

    private void watch() {
        try {
            while (true) {
                TimeUnit.NANOSECONDS.sleep(threshold.toNanos() / 4);
                loops.forEach(Loop::check);
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    private static void warn(Duration blocked, StackTraceElement[] stack) {
        var where = new Exception("the event loop's stack");
        where.setStackTrace(stack);
        log.warn("an event loop has been blocked for {} ms", blocked.toMillis(), where);
    }

    @Override
    public void close() {
        watcher.interrupt();
        loops.forEach(loop -> loop.ended = true);
    }

    private final class Loop {
        private final EventExecutor executor;
        private final Timer lag;
        private Thread thread;
        private long due;
        private volatile long lastSeen;
        private volatile boolean ended;
        private boolean reported;

        Loop(EventExecutor executor, Timer lag) {
            this.executor = executor;
            this.lag = lag;
        }

        void begin() {
            thread = Thread.currentThread();
            seen();
        }

        private void seen() {
            long now = System.nanoTime();
            lastSeen = now;
            due = now + PERIOD_NANOS;
            if (!ended && !executor.isShuttingDown()) {
                executor.schedule(() -> {
                    lag.record(Math.max(0, System.nanoTime() - due), TimeUnit.NANOSECONDS);
                    meters.tick();
                    seen();
                }, PERIOD_NANOS, TimeUnit.NANOSECONDS);
            }
        }

        /** From the watcher's thread. */
        void check() {
            long since = lastSeen;
            long blocked = System.nanoTime() - since - PERIOD_NANOS;
            boolean tooLong = since != 0 && !ended && blocked > threshold.toNanos();
            if (tooLong && !reported) {
                report.accept(Duration.ofNanos(blocked), thread.getStackTrace());
            }
            reported = tooLong;
        }
    }
}
