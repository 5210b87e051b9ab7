package io.sluice.handlers.bus.redis;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.FairLimit;
import io.sluice.handlers.MemoryShare;
import io.sluice.offload.ClientNetwork;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the server that are not answered; each fails after the same time. So one timer suffices, which
 * looks at the oldest ones. Thread-safe.
 */
final class PendingCalls implements AutoCloseable {
    private static final long CHECK_MILLIS = 20;

    private final ConcurrentLinkedQueue<Call> calls = new ConcurrentLinkedQueue<>();
    private final FairLimit underWay;
    /** The bytes of payloads that the driver holds, also those of calls that have timed out. */
    private final FairLimit payloads = new FairLimit(MemoryShare.UNDER_WAY);
    private final long timeoutNanos;
    private final Future<?> timer;

    private record Call(CompletableFuture<?> result, long deadline) {
    }

    /**
     * Creates an empty set of calls.
     *
     * @param limit the largest number of calls
     */
    PendingCalls(EventExecutor executor, int limit, long timeoutNanos) {
        underWay = new FairLimit(limit);
        this.timeoutNanos = timeoutNanos;
        timer = executor.scheduleWithFixedDelay(this::expire, CHECK_MILLIS, CHECK_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    /**
     * Adds a call, which completes with the answer, or after the time with a {@link TimeoutException}. The
     * answer itself stays open then: to cancel it would not take the command out of the driver.
     *
     * @param payload the bytes that the driver holds until it completes the answer
     * @param client the cause of the call; null for the gateway itself
     */
    <T> CompletableFuture<T> add(CompletableFuture<T> answer, int payload, @Nullable ClientNetwork client) {
        payloads.add(client, payload);
        answer.whenComplete((_, _) -> payloads.add(client, -payload));
        CompletableFuture<T> result = answer.copy();
        underWay.add(client, 1);
        result.whenComplete((_, _) -> underWay.add(client, -1));
        if (!result.isDone()) {
            calls.add(new Call(result, System.nanoTime() + timeoutNanos));
        }
        return result;
    }

    /** Returns whether there is no place for another call, or none for one of a client. */
    boolean isFull(@Nullable ClientNetwork client) {
        return underWay.isFull(client) || payloads.isFull(client);
    }

    /** Returns the number of calls that are not answered. */
    int underWay() {
        return (int) underWay.used();
    }

    private void expire() {
        long now = System.nanoTime();
        Call oldest = calls.peek();
        while (oldest != null && (oldest.result.isDone() || now - oldest.deadline > 0)) {
            calls.remove();
            oldest.result.completeExceptionally(new TimeoutException());
            oldest = calls.peek();
        }
    }

    /** Fails all calls. */
    @Override
    public void close() {
        timer.cancel(false);
        calls.forEach(call -> call.result.completeExceptionally(new TimeoutException()));
        calls.clear();
    }
}
