package io.sluice.offload;

import io.netty.util.concurrent.Ticker;
import io.sluice.config.QueueConfig;
import io.sluice.offload.OffloadException.Refused;
import io.sluice.offload.PermitRequest.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The permits of a pool and its one bounded queue, in which a client with many tasks does not delay other
 * clients. What a permit stands for, such as a worker, is the pool's concern. Thread-safe: the monitor of
 * this object is held for a few hundred nanoseconds at a time, also on event loops. It may guard the state of
 * the tasks, too.
 */
final class PermitAllocator<T extends PermitRequest> {
    private static final Duration ONE_SECOND = Duration.ofSeconds(1);

    private final String description;
    private final QueueConfig config;
    private final PoolObserver observer;
    private final Ticker clock;
    private final TaskQueue<T> queue;
    private final RecentClients recentClients = new RecentClients();
    /** The number of permits that stay idle for other clients when one client has more than its share. */
    private final int reserve;
    /** The times for which permits are held. */
    private final RunTimes runTimes = new RunTimes();
    /** The times after which tasks have met their deadlines; they differ if responses go on for long. */
    private final RunTimes responseTimes = new RunTimes();
    private final Admission admission;
    private final Admission surplusAdmission;
    private final LoadWindow load;
    private int idle;
    private boolean closed;

    /**
     * Creates the permits of a pool.
     *
     * @param description of the pool in messages, such as {@code offload pool reports}
     */
    PermitAllocator(String description, QueueConfig config, PoolObserver observer, Ticker clock) {
        this.description = description;
        this.config = config;
        this.observer = observer;
        this.clock = clock;
        long share = config.clientShare().of(config.permits());
        reserve = reserveOf(config.permits(), share);
        queue = new TaskQueue<>(share);
        admission = new Admission(config.permits(), runTimes, responseTimes);
        surplusAdmission = new Admission(config.permits() - reserve, runTimes, responseTimes);
        load = new LoadWindow(clock.nanoTime());
        idle = config.permits();
    }

    /** Returns a tenth of the permits, at least one; none of one or two permits. */
    private static int reserveOf(int permits, long share) {
        return permits < 3 ? 0 : (int) Math.min(permits - share, Math.max(1, permits / 10));
    }

    /**
     * Asks for a permit: the task gets it at once, waits for it, or is refused. A task that waits can be
     * refused in its place.
     *
     * @return the task that got a permit by this, most often the one that asked; null if none did
     */
    @Nullable T ask(T task) {
        return ask(task, () -> null);
    }

    /**
     * Does the same, and takes a permit back if the task would have to wait within the share of its client,
     * while another client holds more than its share.
     *
     * @param reclaim ends a task of such a client, and returns it; null if none may be ended. Called with the
     *     lock held
     */
    @Nullable T ask(T task, Supplier<@Nullable T> reclaim) {
        Refused refusal = null;
        T refused = null;
        T next = null;
        synchronized (this) {
            ClientNetwork client = task.client();
            load.arrived(task.submittedNanos());
            recentClients.arrived(client, task.submittedNanos());
            queue.keepInReserve(recentClients.any() ? reserve : 0);
            boolean served = queue.isServed(client, idle);
            if (!served && !closed && queue.anyGreedy() && !queue.isBeyondShare(client)
                    && hasReclaimed(reclaim.get())) {
                next = queue.anyDue() ? grant(queue.poll(idle), task.submittedNanos()) : null;
                served = next == null;
            }
            Refused.Reason reason = refusalReason(task, served);
            if (reason != null) {
                refusal = refusal(reason, client);
                refused = task;
            } else if (!served && isFull()) {
                refusal = refusal(Refused.Reason.QUEUE_FULL, client);
                refused = queue.pollYoungestSurplus();
            }
            if (refused != task) {
                T granted = assign(task, served);
                next = next == null ? granted : next;
            }
        }
        if (refused != null && refusal != null) {
            observer.refused(refusal.reason());
            refused.refused(refusal);
        }
        return next;
    }

    /**
     * Takes a permit back for a task that waits within the share of its client.
     *
     * @param reclaim as for {@link #ask}
     * @return the task that has got the permit; null if none has
     */
    synchronized @Nullable T reclaim(Supplier<@Nullable T> reclaim) {
        boolean any = owesPermits() && hasReclaimed(reclaim.get());
        return any ? grant(queue.poll(idle), clock.nanoTime()) : null;
    }

    /** Returns whether a task waits within the share of its client while another client exceeds its own. */
    synchronized boolean owesPermits() {
        return queue.anyDue() && queue.anyGreedy();
    }

    /** Takes the permit of an ended task back. Its time does not count: it ends when its permit is needed. */
    private boolean hasReclaimed(@Nullable T ended) {
        if (ended != null) {
            queue.ended(ended);
            idle++;
        }
        return ended != null;
    }

    private Refused.@Nullable Reason refusalReason(T task, boolean served) {
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

    private boolean isFull() {
        return queue.size() >= config.queueLimit();
    }

    private Admission admission(@Nullable ClientNetwork client) {
        return queue.isKeptFromReserve(client) ? surplusAdmission : admission;
    }

    /** Returns a refusal with the time until the queue is empty, in whole seconds as in Retry-After. */
    private Refused refusal(Refused.Reason reason, @Nullable ClientNetwork client) {
        double nanos = admission(client).expectedWait(queue.size(), queue.head());
        Duration wait = Duration.ofNanos((long) nanos);
        return new Refused(description, reason, ONE_SECOND.plusSeconds(wait.toSeconds()));
    }

    /** Grants a permit to the task, or to the first of the queue that it joins, if one may be served. */
    private @Nullable T assign(T task, boolean served) {
        if (!served) {
            queue.add(task);
        }
        return grant(served ? task : queue.poll(idle), task.submittedNanos());
    }

    private @Nullable T grant(@Nullable T task, long now) {
        if (task != null) {
            idle--;
            queue.started(task);
            task.granted(now);
        }
        load.busy(now, busy());
        return task;
    }

    private int busy() {
        return config.permits() - idle;
    }

    /**
     * Takes the permit of a task back.
     *
     * @param ranNanos the time for which the task had it
     * @return the task that has got the permit; null if none waits for it
     */
    synchronized @Nullable T ended(T task, Outcome outcome, long ranNanos, long nowNanos) {
        count(runTimes, outcome, ranNanos);
        long response = task.responseNanos();
        if (response < 0) {
            count(responseTimes, outcome, ranNanos);
        } else {
            responseTimes.completed(response);
        }
        queue.ended(task);
        idle++;
        return grant(queue.poll(idle), nowNanos);
    }

    private static void count(RunTimes times, Outcome outcome, long nanos) {
        switch (outcome) {
            case COMPLETED -> times.completed(nanos);
            case CUT_OFF -> times.cutOff(nanos);
            case NOT_BEGUN -> { }
        }
    }

    /** Removes a task from the queue; returns false if it does not wait there. */
    synchronized boolean remove(T task) {
        return queue.remove(task);
    }

    /** Returns whether a client holds more permits than its share. */
    synchronized boolean holdsTooMany(@Nullable ClientNetwork client) {
        return queue.holdsTooMany(client);
    }

    /** Returns whether there have been tasks of several clients within the last minute. */
    synchronized boolean hasSeveralClients() {
        return recentClients.any();
    }

    synchronized OffloadStats stats() {
        long now = clock.nanoTime();
        return new OffloadStats(config.permits(), busy(), queue.size(),
                Duration.ofNanos((long) runTimes.mean()), load.arrivals(now), load.meanBusy(now));
    }

    /** Refuses new tasks, and removes and returns those that wait. */
    synchronized List<T> close() {
        closed = true;
        return queue.pollAll();
    }
}
