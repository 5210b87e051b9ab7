package io.sluice.offload;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.PoolConfig;
import io.sluice.offload.PermitRequest.Outcome;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Workers with one bounded queue; a permit of the queue is an idle worker. With {@code addLast(group,
 * handler)}, which binds a channel to one executor of a group, a slow query stalls every connection that
 * shares the executor while others idle (netty#1249, #2560); here an idle worker takes the task that has
 * waited longest.
 */
final class OffloadPool implements Offload {
    private final String description;
    private final PoolConfig config;
    private final PoolObserver observer;
    private final Ticker clock;
    private final Workers threads;
    private final List<Worker> workers;
    /** The permits. Their monitor guards the idle workers and the tasks of the others. */
    private final PermitAllocator<OffloadTask<?>> allocator;
    private final ArrayDeque<Worker> idle = new ArrayDeque<>();

    OffloadPool(String name, PoolConfig config, PoolObserver observer, Ticker clock) {
        this(name, config, observer, clock, Workers.start(name, config));
    }

    OffloadPool(String name, PoolConfig config, PoolObserver observer, Ticker clock, Workers threads) {
        description = "offload pool " + name;
        this.config = config;
        this.observer = new GuardedPoolObserver(observer);
        this.clock = clock;
        allocator = new PermitAllocator<>(description, config, this.observer, clock);
        this.threads = threads;
        workers = threads.all().stream().map(Worker::new).toList();
        idle.addAll(workers);
    }

    @Override
    public String toString() {
        return description;
    }

    @Override
    public <T extends @Nullable Object> Future<T> submit(@Nullable ClientNetwork client, Deadline deadline,
                                                         EventExecutor home, Work<T> work) {
        var latest = Deadline.after(config.deadline(), clock);
        var task = new OffloadTask<>(this, client, deadline.earliest(latest), home, work);
        OffloadTask<?> next = allocator.ask(task);
        if (!task.isDone()) {
            task.watchDeadline();
        }
        if (next != null) {
            next.worker().begin(next);
        }
        return task;
    }

    /** Assigns the worker that became idle last to a task, which has a permit. The lock is held. */
    Worker assign(OffloadTask<?> task) {
        Worker worker = idle.removeLast();
        worker.task = task;
        return worker;
    }

    /** Returns the nanoseconds that a worker may wait for a client in all. */
    long clientGraceNanos(@Nullable ClientNetwork client) {
        long grace = config.clientGrace().toNanos();
        return allocator.holdsTooMany(client) ? grace / 10 : grace;
    }

    /** Runs one task at a time. */
    final class Worker {
        private final Executor thread;
        /** The current task; null while it is idle. */
        private @Nullable OffloadTask<?> task;

        Worker(Executor thread) {
            this.thread = thread;
        }

        /** Starts a thread for a task; if none can be started, the task fails, and those behind it, too. */
        private void begin(OffloadTask<?> first) {
            OffloadTask<?> current = first;
            while (current != null) {
                Throwable failure = start(current);
                if (failure == null) {
                    return;
                }
                // If it is closed, the task has been cancelled, and the queue is empty.
                current.tryFailure(failure);
                current = next(current, Outcome.NOT_BEGUN, 0, clock.nanoTime());
            }
        }

        /**
         * Returns the reason why a task will not run; null if it will. The JDK may start a virtual thread and
         * fail all the same, as no carrier can be started: the thread then runs when there is one.
         */
        private @Nullable Throwable start(OffloadTask<?> first) {
            var decided = new AtomicBoolean();
            try {
                thread.execute(() -> {
                    if (!decided.getAndSet(true)) {
                        workUntilIdle(first);
                    }
                });
                return null;
            } catch (RejectedExecutionException | Error e) {
                return decided.getAndSet(true) ? null : e;
            }
        }

        private void workUntilIdle(OffloadTask<?> first) {
            OffloadTask<?> current = first;
            while (current != null) {
                long start = clock.nanoTime();
                observer.started(start - current.submittedNanos());
                Outcome outcome = current.run();
                long end = clock.nanoTime();
                observer.finished(end - start);
                current = next(current, outcome, end - start, end);
            }
        }

        /** Returns the next task, which has been assigned to this worker; null if there is none. */
        private @Nullable OffloadTask<?> next(OffloadTask<?> ended, Outcome outcome, long ran, long now) {
            synchronized (allocator) {
                task = null;
                idle.addLast(this);
                return allocator.ended(ended, outcome, ran, now);
            }
        }
    }

    /** Called by a task that was cancelled or whose deadline has passed. */
    void abandoned(OffloadTask<?> task, boolean wasRunning) {
        allocator.remove(task);
        observer.cancelled(wasRunning);
    }

    @Override
    public OffloadStats stats() {
        return allocator.stats();
    }

    @Override
    public void close() {
        List<OffloadTask<?>> left;
        synchronized (allocator) {
            left = allocator.close();
            workers.stream().map(worker -> worker.task).filter(Objects::nonNull).forEach(left::add);
        }
        left.forEach(task -> task.cancel(true));
        threads.close();
    }
}
