package io.sluice.offload;

/** What running work knows of whoever waits for it. */
public interface WorkScope {

    /** When the work is cancelled at the latest. */
    Deadline deadline();

    /** Whether nobody waits for it any more: it was cancelled, or its deadline has passed. */
    boolean isAbandoned();

    /** Nanoseconds that a worker may wait for its client; fewer while that has more than its share. */
    long clientGraceNanos();

    /**
     * Says how to end what is about to block, for as long as it does. The action runs at most once,
     * on a thread of its own, when the task is cancelled or its deadline passes; at once if that has
     * happened already.
     *
     * @return to be closed when the blocking part is over; waits for an action that is running, so
     *     that it cannot hit what comes after
     */
    Registration onCancel(Runnable action);

    /** A cancel action that is in force. */
    @FunctionalInterface
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
