package io.sluice.offload;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.PoolConfig;
import io.sluice.offload.OffloadException.Refused;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

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
    private final Ticker clock;
    private final Workers threads;
    private final List<Worker> workers;

    /** Held for a few instructions at a time, by event loops too. Guards what follows, and each worker. */
    private final Object lock = new Object();
    private final LinkedHashSet<OffloadTask<?>> queue = new LinkedHashSet<>();
    private final ArrayDeque<Worker> idle = new ArrayDeque<>();
    private final RunTimes runTimes = new RunTimes();
    private final Admission admission;
    private final LoadWindow load;
    private boolean closed;

    OffloadPool(String name, PoolConfig config, OffloadListener listener, Ticker clock) {
        this.name = name;
        this.config = config;
        this.listener = new ListenerGuard(listener);
        this.clock = clock;
        load = new LoadWindow(clock.nanoTime());
        admission = new Admission(config.workers(), runTimes);
        threads = Workers.start(name, config);
        workers = threads.all().stream().map(Worker::new).toList();
        idle.addAll(workers);
    }

    String name() {
        return name;
    }

    @Override
    public <T> Future<T> submit(Deadline deadline, EventExecutor home, Work<T> work) {
        var latest = Deadline.after(config.deadline(), clock);
        var task = new OffloadTask<>(this, deadline.earliest(latest), home, work);
        Refused refusal;
        Worker worker = null;
        synchronized (lock) {
            load.arrived(task.submittedNanos());
            refusal = refusal(task);
            if (refusal == null) {
                worker = idle.pollLast();
                if (worker == null) {
                    task.ahead(queue.size());
                    queue.add(task);
                } else {
                    worker.task = task;
                    load.busy(task.submittedNanos(), busy());
                }
            }
        }
        if (refusal != null) {
            listener.refused(refusal.reason());
            return task.setFailure(refusal);
        }
        task.watchDeadline();
        if (worker != null) {
            worker.begin(task);
        }
        return task;
    }

    private int busy() {
        return config.workers() - idle.size();
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

    /** What does one task at a time. */
    private final class Worker {
        private final Executor thread;
        /** What it does; null while it is idle. */
        private OffloadTask<?> task;

        Worker(Executor thread) {
            this.thread = thread;
        }

        void begin(OffloadTask<?> first) {
            try {
                thread.execute(() -> workUntilIdle(first));
            } catch (RejectedExecutionException e) {
                // Closed meanwhile: the task is cancelled, and the queue is empty.
                next(OffloadTask.Outcome.NOT_BEGUN, 0, clock.nanoTime());
            }
        }

        private void workUntilIdle(OffloadTask<?> first) {
            OffloadTask<?> current = first;
            while (current != null) {
                long start = clock.nanoTime();
                listener.started(start - current.submittedNanos());
                OffloadTask.Outcome outcome = current.run();
                long end = clock.nanoTime();
                listener.finished(end - start);
                current = next(outcome, end - start, end);
            }
        }

        private OffloadTask<?> next(OffloadTask.Outcome outcome, long ran, long now) {
            synchronized (lock) {
                switch (outcome) {
                    case COMPLETED -> runTimes.completed(ran);
                    case CUT_OFF -> runTimes.cutOff(ran);
                    case NOT_BEGUN -> { }
                }
                task = queue.isEmpty() ? null : queue.removeFirst();
                if (task == null) {
                    idle.add(this);
                    load.busy(now, busy());
                }
                return task;
            }
        }
    }

    /** Called by a task that was cancelled or whose deadline has passed. */
    void abandoned(OffloadTask<?> task, boolean wasRunning) {
        synchronized (lock) {
            queue.remove(task);
        }
        listener.cancelled(wasRunning);
    }

    @Override
    public OffloadStats stats() {
        synchronized (lock) {
            long now = clock.nanoTime();
            return new OffloadStats(config.workers(), busy(), queue.size(),
                    Duration.ofNanos((long) runTimes.mean()), load.arrivals(now), load.meanBusy(now));
        }
    }

    @Override
    public void close() {
        List<OffloadTask<?>> left;
        synchronized (lock) {
            closed = true;
            left = new ArrayList<>(queue);
            workers.stream().map(worker -> worker.task).filter(Objects::nonNull).forEach(left::add);
            queue.clear();
        }
        left.forEach(task -> task.cancel(true));
        threads.close();
    }
}
