package io.sluice.offload;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.PoolConfig;
import io.sluice.offload.OffloadException.Refused;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Workers with one bounded queue, in which a client with many tasks does not delay other clients. With {@code
 * addLast(group, handler)}, which binds a channel to one executor of a group, a slow query stalls every
 * connection that shares the executor while others idle (netty#1249, #2560); here an idle worker takes the
 * task that has waited longest.
 */
final class OffloadPool implements Offload {
    private static final Duration ONE_SECOND = Duration.ofSeconds(1);

    private final String name;
    private final PoolConfig config;
    private final PoolObserver observer;
    private final Ticker clock;
    private final Workers threads;
    private final List<Worker> workers;

    /**
     * Held for a few instructions at a time, also on event loops. Guards the fields below and the workers.
     */
    private final Object lock = new Object();
    private final TaskQueue queue;
    private final Neighbours neighbours = new Neighbours();
    /** The number of workers that stay idle for other clients when one client has more than its share. */
    private final int reserve;
    private final ArrayDeque<Worker> idle = new ArrayDeque<>();
    private final RunTimes runTimes = new RunTimes();
    private final Admission admission;
    private final Admission surplusAdmission;
    private final LoadWindow load;
    private boolean closed;

    OffloadPool(String name, PoolConfig config, PoolObserver observer, Ticker clock) {
        this.name = name;
        this.config = config;
        this.observer = new ObserverGuard(observer);
        this.clock = clock;
        load = new LoadWindow(clock.nanoTime());
        reserve = reserve(config.workers(), config.clientShare().of(config.workers()));
        admission = new Admission(config.workers(), runTimes);
        surplusAdmission = new Admission(config.workers() - reserve, runTimes);
        queue = new TaskQueue(config.clientShare().of(config.workers()));
        threads = Workers.start(name, config);
        workers = threads.all().stream().map(Worker::new).toList();
        idle.addAll(workers);
    }

    /** Returns a tenth of the workers, at least one; none of one or two workers. */
    private static int reserve(int workers, long share) {
        return workers < 3 ? 0 : (int) Math.min(workers - share, Math.max(1, workers / 10));
    }

    String name() {
        return name;
    }

    @Override
    public <T> Future<T> submit(ClientNetwork client, Deadline deadline, EventExecutor home, Work<T> work) {
        var latest = Deadline.after(config.deadline(), clock);
        var task = new OffloadTask<>(this, client, deadline.earliest(latest), home, work);
        Refused refusal = null;
        OffloadTask<?> displaced = null;
        Worker worker = null;
        synchronized (lock) {
            load.arrived(task.submittedNanos());
            neighbours.arrived(client, task.submittedNanos());
            queue.reserve(neighbours.any() ? reserve : 0);
            boolean served = queue.isServed(client, idle.size());
            Refused.Reason reason = refusalReason(task, served);
            if (reason != null) {
                refusal = refusal(reason, client);
            } else {
                if (!served && isFull()) {
                    refusal = refusal(Refused.Reason.QUEUE_FULL, client);
                    displaced = queue.pollYoungestSurplus();
                }
                worker = assign(task, served);
            }
        }
        if (refusal != null) {
            observer.refused(refusal.reason());
            (displaced == null ? task : displaced).refuse(refusal);
        }
        if (refusal == null || displaced != null) {
            task.watchDeadline();
        }
        if (worker != null) {
            worker.begin(worker.task);
        }
        return task;
    }

    private int busy() {
        return config.workers() - idle.size();
    }

    private boolean isFull() {
        return queue.size() >= config.queueLimit();
    }

    private Refused.Reason refusalReason(OffloadTask<?> task, boolean served) {
        if (closed) {
            return Refused.Reason.CLOSED;
        }
        if (served) {
            return null;
        }
        ClientNetwork client = task.client();
        return isFull() && !queue.canMakeRoomFor(client) ? Refused.Reason.QUEUE_FULL
                : admission(client).tooLate(task.deadline(), queue.ahead(client), queue.head(client))
                        ? Refused.Reason.TOO_LATE : null;
    }

    private Admission admission(ClientNetwork client) {
        return queue.isKeptFromReserve(client) ? surplusAdmission : admission;
    }

    /** Returns a refusal with the time until the queue is empty, in whole seconds as in Retry-After. */
    private Refused refusal(Refused.Reason reason, ClientNetwork client) {
        double nanos = admission(client).expectedWait(queue.size(), queue.head());
        Duration wait = Duration.ofNanos((long) nanos);
        return new Refused(name, reason, ONE_SECOND.plusSeconds(wait.toSeconds()));
    }

    /** Assigns the task, or the first of the queue that it joins, to an idle worker; null if none may run. */
    private Worker assign(OffloadTask<?> task, boolean served) {
        if (!served) {
            queue.add(task);
        }
        OffloadTask<?> next = served ? task : queue.poll(idle.size());
        if (next == null) {
            return null;
        }
        Worker worker = idle.pollLast();
        worker.task = next;
        queue.started(next);
        load.busy(task.submittedNanos(), busy());
        return worker;
    }

    /** Returns the nanoseconds that a worker may wait for a client in all. */
    long clientGraceNanos(ClientNetwork client) {
        synchronized (lock) {
            long grace = config.clientGrace().toNanos();
            return queue.holdsTooMany(client) ? grace / 10 : grace;
        }
    }

    /** Runs one task at a time. */
    private final class Worker {
        private final Executor thread;
        /** The current task; null while it is idle. */
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
                observer.started(start - current.submittedNanos());
                OffloadTask.Outcome outcome = current.run();
                long end = clock.nanoTime();
                observer.finished(end - start);
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
                queue.ended(task);
                task = queue.poll(idle.size() + 1);
                if (task == null) {
                    idle.add(this);
                    load.busy(now, busy());
                } else {
                    queue.started(task);
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
        observer.cancelled(wasRunning);
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
            left = queue.pollAll();
            workers.stream().map(worker -> worker.task).filter(Objects::nonNull).forEach(left::add);
        }
        left.forEach(task -> task.cancel(true));
        threads.close();
    }
}
