package io.sluice.offload;

/** The deadline and the cancellation of a running task. */
public interface WorkScope {

    /** Returns the time at which the task is cancelled at the latest. */
    Deadline deadline();

    /**
     * Returns whether the task was cancelled or its deadline has passed, so that its result is not needed.
     */
    boolean isAbandoned();

    /**
     * Returns the nanoseconds that the worker may wait for its client; a tenth while that exceeds its share.
     */
    long clientGraceNanos();

    /**
     * Registers an action that ends a blocking operation. It runs at most once, on a thread of its own, when
     * the task is cancelled or its deadline passes; at once if that has happened already.
     *
     * @return the registration, to be closed when the operation has ended; its close waits for a running
     *     action, so that the action cannot affect a later operation
     */
    Registration onCancel(Runnable action);

    /** A registered cancel action. */
    @FunctionalInterface
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
