package io.sluice.offload;

import io.netty.util.concurrent.AbstractScheduledEventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A home executor that runs its tasks when the test says so, on the thread and with the clock of the test.
 */
final class SteppedHome extends AbstractScheduledEventExecutor {
    private final Ticker clock;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    /** Runs when a timer has been set, before the caller that sets it goes on. */
    Runnable onSchedule = () -> { };
    private boolean running;
    private boolean shutDown;

    SteppedHome(Ticker clock) {
        this.clock = clock;
    }

    /** Runs all tasks and all timers that are due. */
    void run() {
        running = true;
        for (Runnable task = nextTask(); task != null; task = nextTask()) {
            task.run();
        }
        running = false;
    }

    /** Runs tasks until one throws, and returns the exception. */
    RuntimeException runUntilItThrows() {
        try {
            run();
        } catch (RuntimeException e) {
            running = false;
            return e;
        }
        throw new AssertionError("expected: a task that throws");
    }

    private Runnable nextTask() {
        return tasks.isEmpty() ? pollScheduledTask(clock.nanoTime()) : tasks.poll();
    }

    /** Returns whether the executor runs a task now. */
    boolean isRunning() {
        return running;
    }

    boolean hasTimer() {
        return nextScheduledTaskDeadlineNanos() != -1;
    }

    @Override
    public void execute(Runnable task) {
        if (shutDown) {
            throw new RejectedExecutionException("shut down by the test");
        }
        tasks.add(task);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        ScheduledFuture<?> timer = super.schedule(task, delay, unit);
        onSchedule.run();
        return timer;
    }

    @Override
    public Ticker ticker() {
        return clock;
    }

    /** Returns true, since the test's thread is the thread of the loop. */
    @Override
    public boolean inEventLoop(Thread thread) {
        return true;
    }

    @Override
    @Deprecated
    public void shutdown() {
        shutDown = true;
        cancelScheduledTasks();
    }

    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        shutdown();
        return terminationFuture();
    }

    @Override
    public Future<?> terminationFuture() {
        return newSucceededFuture(null);
    }

    @Override
    public boolean isShuttingDown() {
        return shutDown;
    }

    @Override
    public boolean isShutdown() {
        return shutDown;
    }

    @Override
    public boolean isTerminated() {
        return shutDown;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return shutDown;
    }
}
