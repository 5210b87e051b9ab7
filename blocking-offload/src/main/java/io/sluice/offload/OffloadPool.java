package io.sluice.offload;

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
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Workers behind one bounded queue. Handing a channel to one executor of a group, as
 * {@code addLast(group, handler)} does, lets one slow query stall every connection that shares it while
 * other executors idle (netty#1249, #2560); here an idle worker takes whatever has waited longest.
 */
final class OffloadPool implements Offload {
    private static final Duration ONE_SECOND = Duration.ofSeconds(1);

    private final String name;
    private final PoolConfig config;
    private final OffloadListener listener;
    private final Workers workers;

    /** Held for a few instructions at a time, by event loops too. Guards what follows. */
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashSet<OffloadTask<?>> queue = new LinkedHashSet<>();
    private final ArrayDeque<Executor> idle = new ArrayDeque<>();
    private final Set<OffloadTask<?>> running = new HashSet<>();
    private final RunTimes runTimes = new RunTimes();
    private final Admission admission;
    private final LoadWindow load = new LoadWindow(System.nanoTime());
    private boolean closed;

    OffloadPool(String name, PoolConfig config, OffloadListener listener) {
        this.name = name;
        this.config = config;
        this.listener = new ListenerGuard(listener);
        admission = new Admission(config.workers(), runTimes);
        workers = Workers.start(name, config);
        idle.addAll(workers.all());
    }

    String name() {
        return name;
    }

    @Override
    public <T> Future<T> submit(Deadline deadline, EventExecutor home, Work<T> work) {
        var task = new OffloadTask<>(this, deadline.earliest(Deadline.after(config.deadline())), home, work);
        Refused refusal;
        Executor worker = null;
        lock.lock();
        try {
            load.arrived(System.nanoTime());
            refusal = refusal(task);
            if (refusal == null) {
                worker = idle.pollLast();
                if (worker == null) {
                    task.ahead(queue.size());
                    queue.add(task);
                } else {
                    begin(task);
                }
            }
        } finally {
            lock.unlock();
        }
        if (refusal != null) {
            listener.refused(refusal.reason());
            return task.setFailure(refusal);
        }
        task.watchDeadline();
        if (worker != null) {
            handOver(worker, task);
        }
        return task;
    }

    private Refused refusal(OffloadTask<?> task) {
        if (closed) {
            return refused(Refused.Reason.CLOSED);
        }
        if (!idle.isEmpty()) {
            return null;
        }
        return queue.size() >= config.queueLimit() ? refused(Refused.Reason.QUEUE_FULL)
                : admission.tooLate(task.deadline(), queue.size(), head()) ? refused(Refused.Reason.TOO_LATE)
                : null;
    }

    private OffloadTask<?> head() {
        return queue.isEmpty() ? null : queue.getFirst();
    }

    /** Says when the queue will be empty, in whole seconds as HTTP has it. */
    private Refused refused(Refused.Reason reason) {
        Duration wait = Duration.ofNanos((long) admission.expectedWait(queue.size(), head()));
        return new Refused(name, reason, ONE_SECOND.plusSeconds(wait.toSeconds()));
    }

    private void begin(OffloadTask<?> task) {
        running.add(task);
        load.busy(System.nanoTime(), running.size());
    }

    private void handOver(Executor worker, OffloadTask<?> task) {
        try {
            worker.execute(() -> workUntilIdle(worker, task));
        } catch (RejectedExecutionException e) {
            // Closed meanwhile: the task is cancelled, and the queue is empty.
            next(worker, task, OffloadTask.Outcome.NOT_BEGUN, 0);
        }
    }

    private void workUntilIdle(Executor worker, OffloadTask<?> first) {
        OffloadTask<?> task = first;
        while (task != null) {
            listener.started(task.queuedNanos());
            long start = System.nanoTime();
            OffloadTask.Outcome outcome = task.run();
            long ran = System.nanoTime() - start;
            listener.finished(ran);
            task = next(worker, task, outcome, ran);
        }
    }

    private OffloadTask<?> next(Executor worker, OffloadTask<?> done, OffloadTask.Outcome outcome, long ran) {
        lock.lock();
        try {
            switch (outcome) {
                case COMPLETED -> runTimes.completed(ran);
                case CUT_OFF -> runTimes.cutOff(ran);
                case NOT_BEGUN -> { }
            }
            running.remove(done);
            OffloadTask<?> next = queue.isEmpty() ? null : queue.removeFirst();
            if (next == null) {
                idle.add(worker);
                load.busy(System.nanoTime(), running.size());
            } else {
                begin(next);
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
            long now = System.nanoTime();
            return new OffloadStats(config.workers(), running.size(), queue.size(),
                    Duration.ofNanos((long) runTimes.mean()), load.arrivals(now), load.meanBusy(now));
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
        workers.close();
    }
}
