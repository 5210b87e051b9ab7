package io.sluice.gateway;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.gateway.loop.LoopTask;
import io.sluice.gateway.loop.LoopTaskMeter;
import io.sluice.gateway.loop.MeteredLoop;
import io.sluice.testing.LongestTasks;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * The limit of CPU time for one task of a gateway's event loops. Every gateway under test has one. A test
 * runs its worst load within {@link #requireBelow(Duration, Attack)}.
 *
 * <p>A thread checks the loops each millisecond, and samples the stack of a task that has run for 3 ms. A
 * task during which classes were loaded counts for a test's own limit, but not for the suite's longest ten.
 */
public final class LoopBudget implements AutoCloseable {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(3);
    private static final int WARM_UPS = 5;
    /** More than half of the runs of a load that count. */
    private static final int MAJORITY = 4;
    private static final int STACKS = 200;
    private static final int FRAMES = 16;
    private static final ClassLoadingMXBean CLASSES = ManagementFactory.getClassLoadingMXBean();
    private static final List<Loop> WATCHED = new CopyOnWriteArrayList<>();
    private static volatile long classesLoadedAt = System.nanoTime();

    static {
        Thread.ofPlatform().name("loop-budget").daemon().start(LoopBudget::watch);
    }

    private final List<Loop> loops = new ArrayList<>();

    private LoopBudget(EventLoopGroup group) {
        for (EventExecutor loop : group) {
            if (loop instanceof MeteredLoop metered) {
                loops.add(new Loop(metered));
            }
        }
        WATCHED.addAll(loops);
    }

    /** Starts to measure the tasks of a group's loops. */
    static LoopBudget of(EventLoopGroup group) {
        return new LoopBudget(group);
    }

    private static void watch() {
        long before = 0;
        while (true) {
            LockSupport.parkNanos(LOOK_NANOS);
            long loaded = CLASSES.getTotalLoadedClassCount();
            if (loaded != before) {
                before = loaded;
                classesLoadedAt = System.nanoTime();
            }
            WATCHED.forEach(Loop::look);
        }
    }

    /** Discards all tasks so far, as warm-up. */
    public void reset() {
        awaitEnds();
        loops.forEach(loop -> loop.longest = null);
    }

    /** Returns the CPU time of the longest task since the last {@link #reset}; zero if none took 1 ms. */
    public Duration longest() {
        awaitEnds();
        return loops.stream().map(loop -> loop.longest).map(sample -> sample == null ? Duration.ZERO
                : sample.task.cpu()).max(Duration::compareTo).orElse(Duration.ZERO);
    }

    /** Fails, with the stack, if a task since the last {@link #reset} took this much CPU time or more. */
    public void requireBelow(Duration limit) {
        awaitEnds();
        String tooLong = loops.stream().map(loop -> loop.longest)
                .filter(sample -> sample != null && sample.task.cpu().compareTo(limit) >= 0)
                .map(Sample::toString).collect(Collectors.joining("\n"));
        if (!tooLong.isEmpty()) {
            throw new AssertionError("tasks of event loops took too long (expected: less than "
                    + limit.toNanos() / 1e6 + " ms of CPU time):\n" + tooLong);
        }
    }

    /** A load on event loops, which returns when it is over. */
    @FunctionalInterface
    public interface Attack {
        /** Runs the load once. */
        void run() throws Exception;
    }

    /**
     * Repeats a load, and fails with the last long task unless the longest tasks of seven runs have a median
     * below the limit at the pace of the machine. Up to five runs before the first one within it are warm-up.
     * A busy machine disturbs a run: page faults, interrupts and the hypervisor add to the CPU time of a
     * task, and nothing subtracts from it.
     */
    public void requireBelow(Duration limit, Attack attack) throws Exception {
        int warmUps = 0;
        int within = 0;
        int beyond = 0;
        Duration adapted = limit;
        while (within < MAJORITY && beyond < MAJORITY) {
            reset();
            attack.run();
            adapted = MachinePace.adapt(limit);
            if (longest().compareTo(adapted) < 0) {
                within++;
            } else if (within == 0 && warmUps < WARM_UPS) {
                warmUps++;
            } else {
                beyond++;
            }
        }
        if (beyond == MAJORITY) {
            requireBelow(adapted);
        }
    }

    /** Spends CPU time on the current thread. */
    public static void compute(Duration time) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + time.toNanos();
        while (threads.getCurrentThreadCpuTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** Waits for tasks to end, since a client may have its answer before the task ends. */
    private void awaitEnds() {
        loops.stream().map(loop -> loop.loop).filter(loop -> !loop.isShuttingDown())
                .forEach(loop -> loop.submit(() -> { }).awaitUninterruptibly());
    }

    @Override
    public void close() {
        WATCHED.removeAll(loops);
    }

    /** A task, and a stack from it if there is one. */
    private record Sample(LoopTask task, StackTraceElement[] stack) {
        @Override
        public String toString() {
            return "%.1f ms of CPU in %.1f ms, route %s%s".formatted(task.cpu().toNanos() / 1e6,
                    task.wall().toNanos() / 1e6, task.route(), stack == null ? ", no stack"
                            : Arrays.stream(stack).limit(FRAMES).map(frame -> "\n                at " + frame)
                                    .collect(Collectors.joining()));
        }
    }

    private static final class Loop {
        private final MeteredLoop loop;
        private final LoopTaskMeter tasks;
        private volatile Sample longest;
        /** The samples of the task that began at {@link #stacksSince}; guarded by this object. */
        private final List<StackTraceElement[]> stacks = new ArrayList<>();
        private long stacksSince;

        Loop(MeteredLoop loop) {
            this.loop = loop;
            tasks = loop.tasks();
            tasks.onLong(this::ended);
        }

        /** Samples the running task if it is long. On the watching thread. */
        private void look() {
            long since = tasks.runningSince();
            if (since != 0 && System.nanoTime() - since > LONG_NANOS) {
                sample(since, loop.threadProperties().stackTrace());
            }
        }

        private synchronized void sample(long since, StackTraceElement[] stack) {
            if (tasks.runningSince() == since && stacks.size() < STACKS) {
                stacks.add(stack);
                stacksSince = since;
            }
        }

        /** Returns the sample from the middle of a task; null if the task was too short for one. */
        private synchronized StackTraceElement[] stackOf(LoopTask task) {
            StackTraceElement[] stack = stacks.isEmpty() || stacksSince != task.startNanos() ? null
                    : stacks.get(stacks.size() / 2);
            stacks.clear();
            return stack;
        }

        /** Records a task that has ended. On the event loop. */
        private void ended(LoopTask task) {
            var sample = new Sample(task, stackOf(task));
            if (longest == null || longest.task.cpu().compareTo(task.cpu()) < 0) {
                longest = sample;
            }
            boolean warm = classesLoadedAt - task.startNanos() < 0;
            if (warm) {
                LongestTasks.add(task.cpu(), sample.toString());
            }
        }
    }
}
