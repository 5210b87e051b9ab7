package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.Timer;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.gateway.pipeline.LoopTicks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches that event loops come round: a thread asks each of them to, meters how long that takes, and
 * reports a loop that has not come round for too long, with the culprit's stack. Whoever has something to do
 * on a loop every now and then can have it done on this occasion.
 */
public final class EventLoopMonitor implements LoopTicks, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EventLoopMonitor.class);
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(PERIOD);

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
            loops.add(new Loop(executor, meters.lag(Integer.toString(number++))));
        }
        loops.forEach(Loop::look);
        watcher = Thread.ofPlatform().name("loop-watcher").daemon().start(this::watch);
    }

    /**
     * Does it on one of these loops whenever that has been asked to come round.
     *
     * @throws NoSuchElementException where it is another
     */
    @Override
    public void run(EventLoop loop, Runnable step) {
        loops.stream().filter(watched -> watched.executor == loop).findFirst().orElseThrow().steps.add(step);
    }

    private void watch() {
        try {
            while (true) {
                TimeUnit.NANOSECONDS.sleep(Math.min(PERIOD_NANOS, threshold.toNanos() / 4));
                loops.forEach(Loop::look);
            }
        } catch (InterruptedException | RejectedExecutionException e) {
            // Closed, or the loops are.
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
    }

    private final class Loop {
        private final EventExecutor executor;
        private final Timer lag;
        private volatile Thread thread;
        /** When it was asked to come round. */
        private long asked;
        private volatile boolean came = true;
        private boolean reported;
        private final List<Runnable> steps = new CopyOnWriteArrayList<>();

        Loop(EventExecutor executor, Timer lag) {
            this.executor = executor;
            this.lag = lag;
        }

        /** From the watcher's thread, and once before that begins. */
        void look() {
            long now = System.nanoTime();
            long since = now - asked;
            if (came && since >= PERIOD_NANOS) {
                asked = now;
                came = false;
                reported = false;
                executor.execute(this::come);
            } else if (!came && !reported && thread != null && since > threshold.toNanos()) {
                reported = true;
                report.accept(Duration.ofNanos(since), thread.getStackTrace());
            }
        }

        private void come() {
            thread = Thread.currentThread();
            lag.record(System.nanoTime() - asked, TimeUnit.NANOSECONDS);
            meters.tick();
            came = true;
            steps.forEach(Runnable::run);
        }
    }
}
