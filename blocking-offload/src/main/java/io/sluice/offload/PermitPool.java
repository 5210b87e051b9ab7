package io.sluice.offload;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.QueueConfig;
import io.sluice.offload.OffloadException.DeadlineExceeded;
import io.sluice.offload.OffloadException.Refused;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Permits without workers. A permit that is granted at once costs one object, one lock and no timer. */
final class PermitPool implements Permits {
    private final String description;
    private final QueueConfig config;
    private final PoolObserver observer;
    private final Ticker clock;
    /** The permits. Their monitor guards the states of all requests, too. */
    private final PermitAllocator<PermitAcquisition> allocator;
    /** The permits of lasting responses, the oldest first. Guarded by the monitor of the allocator. */
    private final LinkedHashSet<PermitAcquisition> lasting = new LinkedHashSet<>();
    /** The timer of {@link #reclaimForWaiting}; null unless it is set. Guarded like these. */
    private @Nullable Future<?> reclaimTimer;

    PermitPool(String description, QueueConfig config, PoolObserver observer, Ticker clock) {
        this.description = description;
        this.config = config;
        this.observer = new GuardedPoolObserver(observer);
        this.clock = clock;
        allocator = new PermitAllocator<>(description, config, this.observer, clock);
    }

    @Override
    public Acquisition acquire(@Nullable ClientNetwork client, Deadline deadline, EventExecutor home,
                               Waiter waiter) {
        var request = new PermitAcquisition(this, client, deadline, home, waiter);
        PermitAcquisition next = allocator.ask(request, this::reclaim);
        if (next == request) {
            request.begin();
        } else {
            handOver(next);
            request.watchDeadline();
        }
        return request;
    }

    /** Ends the longest response beyond the pool's deadline of those of clients beyond their share. */
    private @Nullable PermitAcquisition reclaim() {
        PermitAcquisition longest = longestBeyondShare();
        if (longest == null || nanosUntilReclaim(longest) > 0) {
            return null;
        }
        longest.takeBack();
        return longest;
    }

    private @Nullable PermitAcquisition longestBeyondShare() {
        return lasting.stream().filter(held -> allocator.holdsTooMany(held.client()))
                .findFirst().orElse(null);
    }

    private long nanosUntilReclaim(PermitAcquisition held) {
        return held.lastsSince() + config.deadline().toNanos() - clock.nanoTime();
    }

    /**
     * Sets a timer for the next permit that can be taken back while a request waits for it. A response that
     * begins later lasts beyond the deadline of the request.
     */
    void reclaimLater(EventExecutor home) {
        synchronized (allocator) {
            boolean isSet = reclaimTimer != null && !reclaimTimer.isDone();
            PermitAcquisition longest = !isSet && allocator.owesPermits() ? longestBeyondShare() : null;
            if (longest != null) {
                reclaimTimer = home.schedule(() -> reclaimForWaiting(home), nanosUntilReclaim(longest),
                        TimeUnit.NANOSECONDS);
            }
        }
    }

    private void reclaimForWaiting(EventExecutor home) {
        PermitAcquisition next;
        synchronized (allocator) {
            reclaimTimer = null;
            next = allocator.reclaim(this::reclaim);
        }
        handOver(next);
        reclaimLater(home);
    }

    /**
     * Delivers a permit to a request that has waited for it, or to the next whose home has not shut down.
     *
     * @param first null if none waits
     */
    void handOver(@Nullable PermitAcquisition first) {
        PermitAcquisition next = first;
        while (next != null && !next.callHome(next::receive)) {
            next = next.passOn();
        }
    }

    PermitAllocator<PermitAcquisition> allocator() {
        return allocator;
    }

    /** Returns the permits that may be taken back, guarded by the monitor of the allocator. */
    Set<PermitAcquisition> lasting() {
        return lasting;
    }

    PoolObserver observer() {
        return observer;
    }

    Ticker clock() {
        return clock;
    }

    /** Returns the earlier of a deadline and that of the pool for a request. */
    Deadline deadline(Deadline requested, long submittedNanos) {
        return new Deadline(submittedNanos + config.deadline().toNanos(), clock).earliest(requested);
    }

    DeadlineExceeded deadlineExceeded() {
        return new DeadlineExceeded(description, false);
    }

    Refused closed() {
        return new Refused(description, Refused.Reason.CLOSED, Duration.ofSeconds(1));
    }

    @Override
    public boolean hasSeveralClients() {
        return allocator.hasSeveralClients();
    }

    @Override
    public OffloadStats stats() {
        return allocator.stats();
    }

    @Override
    public void close() {
        for (PermitAcquisition waiting : allocator.close()) {
            observer.refused(Refused.Reason.CLOSED);
            waiting.refused(closed());
        }
    }
}
