package io.sluice.gateway.loop;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.offload.Guard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches event loops. A thread regularly submits a task to each loop, which runs the {@link PeriodicSteps}.
 * It observes how long the loop takes to run the task, and reports a loop that does not within the threshold,
 * with the route and the stack of its current task. An error in a step or in the observer stops no other
 * step.
 */
public final class LoopWatchdog implements PeriodicSteps, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LoopWatchdog.class);
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS);

    private final List<Loop> loops = new ArrayList<>();
    private final Duration threshold;
    private final Observer observer;
    private final Guard guard = new Guard(log,
            "a step of the watch over event loops failed; it is done again");
    private final Thread watcher;
    private volatile boolean closed;

    /** Observes how soon event loops run what is submitted to them. */
    public interface Observer {
        /**
         * A loop has run the submitted task. Called on that loop.
         *
         * @param loop its number in the group, from 0
         * @param nanos from the submission
         */
        void ran(int loop, long nanos);

        /**
         * A loop has not run the submitted task within the threshold. Called on the watcher's thread, once
         * for each task.
         *
         * @param time for which the submitted task has waited
         * @param route of the loop's current task; null if it runs for none
         * @param stack of the loop's thread
         */
        void blocked(Duration time, @Nullable String route, StackTraceElement[] stack);
    }

    /** Starts to watch the loops of a group, which must be {@link MeteredLoop}s. */
    public LoopWatchdog(EventLoopGroup group, Duration threshold, Observer observer) {
        this.threshold = threshold;
        this.observer = observer;
        for (EventExecutor executor : group) {
            loops.add(new Loop((MeteredLoop) executor, loops.size()));
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

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(watcher);
    }

    private final class Loop {
        private final MeteredLoop executor;
        private final int number;
        private final List<Runnable> steps = new CopyOnWriteArrayList<>();
        /** The time at which the last task was submitted. */
        private long submitted = System.nanoTime() - PERIOD_NANOS;
        /** The time at which the last task that has run was submitted. */
        private volatile long submittedOfRun = submitted;
        private boolean reported;

        Loop(MeteredLoop executor, int number) {
            this.executor = executor;
            this.number = number;
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
                observer.blocked(Duration.ofNanos(since), executor.tasks().route(),
                        executor.threadProperties().stackTrace());
            }
        }

        private void ran(long at) {
            submittedOfRun = at;
            guard.run(() -> observer.ran(number, System.nanoTime() - at));
            steps.forEach(guard::run);
        }
    }
}
