package io.sluice.offload;

import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.PoolConfig;
import io.sluice.offload.OffloadException.Refused;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The executors of a {@link DefaultEventExecutorGroup} behind one bounded queue. Handing a channel to
 * one executor of the group, as {@code addLast(group, handler)} does, lets one slow query stall every
 * connection that shares it while other executors idle (netty#1249, #2560); here an idle worker takes
 * whatever has waited longest.
 */
public final class OffloadPool implements Offload {
    private static final Duration ONE_SECOND = Duration.ofSeconds(1);

    private final String name;
    private final PoolConfig config;
    private final OffloadListener listener;
    private final DefaultEventExecutorGroup group;

    /** Held for a few instructions at a time, by event loops too. Guards the four below. */
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashSet<OffloadTask<?>> queue = new LinkedHashSet<>();
    private final ArrayDeque<EventExecutor> idle = new ArrayDeque<>();
    private final Set<OffloadTask<?>> running = new HashSet<>();
    private boolean closed;

    private final MovingMean runTime = new MovingMean();

    /** Starts a pool and its threads, which are named after it. */
    public OffloadPool(String name, PoolConfig config, OffloadListener listener) {
        this.name = name;
        this.config = config;
        this.listener = new ListenerGuard(listener);
        group = new DefaultEventExecutorGroup(config.workers(),
                new DefaultThreadFactory("offload-" + name, true));
        for (EventExecutor worker : group) {
            worker.execute(() -> { }); // starts its thread: where there can be none, there is no pool
            idle.add(worker);
        }
    }

    String name() {
        return name;
    }

    @Override
    public <T> Future<T> submit(Deadline deadline, EventExecutor home, Work<T> work) {
        var task = new OffloadTask<>(this, deadline.earliest(Deadline.after(config.deadline())), home, work);
        Refused.Reason refusal = null;
        EventExecutor worker = null;
        lock.lock();
        try {
            refusal = refusal(task);
            if (refusal == null) {
                worker = idle.pollLast();
                if (worker == null) {
                    queue.add(task);
                } else {
                    running.add(task);
                }
            }
        } finally {
            lock.unlock();
        }
        if (refusal != null) {
            listener.refused(refusal);
            return task.setFailure(new Refused(name, refusal, retryAfter()));
        }
        task.watchDeadline();
        if (worker != null) {
            handOver(worker, task);
        }
        return task;
    }

    private void handOver(EventExecutor worker, OffloadTask<?> task) {
        try {
            worker.execute(() -> workUntilIdle(worker, task));
        } catch (RejectedExecutionException e) {
            next(worker, task); // closed meanwhile: the task is cancelled, and the queue is empty
        }
    }

    private Refused.Reason refusal(OffloadTask<?> task) {
        if (closed) {
            return Refused.Reason.CLOSED;
        }
        if (!idle.isEmpty()) {
            return null;
        }
        return queue.size() >= config.queueLimit() ? Refused.Reason.QUEUE_FULL
                : expectedWaitNanos() > task.deadline().remainingNanos() ? Refused.Reason.TOO_LATE : null;
    }

    private double expectedWaitNanos() {
        return queue.size() * runTime.nanos() / config.workers();
    }

    /** How long the queue needs to empty, in whole seconds as HTTP has it. */
    private Duration retryAfter() {
        lock.lock();
        try {
            Duration wait = Duration.ofNanos((long) expectedWaitNanos());
            return ONE_SECOND.plusSeconds(wait.toSeconds());
        } finally {
            lock.unlock();
        }
    }

    private void workUntilIdle(EventExecutor worker, OffloadTask<?> first) {
        for (OffloadTask<?> task = first; task != null; task = next(worker, task)) {
            listener.started(task.queuedNanos());
            long start = System.nanoTime();
            boolean worked = task.run();
            long ran = System.nanoTime() - start;
            if (worked) {
                runTime.add(ran);
            }
            listener.finished(ran);
        }
    }

    private OffloadTask<?> next(EventExecutor worker, OffloadTask<?> done) {
        lock.lock();
        try {
            running.remove(done);
            OffloadTask<?> next = queue.isEmpty() ? null : queue.removeFirst();
            if (next == null) {
                idle.add(worker);
            } else {
                running.add(next);
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Called by a task that was cancelled or whose deadline has passed. */
    void abandoned(OffloadTask<?> task, boolean wasRunning) {
        lock.lock();
        try {
            queue.remove(task);
        } finally {
            lock.unlock();
        }
        listener.cancelled(wasRunning);
    }

    @Override
    public OffloadStats stats() {
        lock.lock();
        try {
            return new OffloadStats(config.workers(), config.workers() - idle.size(), queue.size(),
                    Duration.ofNanos((long) runTime.nanos()));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        List<OffloadTask<?>> left;
        lock.lock();
        try {
            closed = true;
            left = new ArrayList<>(queue);
            left.addAll(running);
            queue.clear();
        } finally {
            lock.unlock();
        }
        left.forEach(task -> task.cancel(true));
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }
}
