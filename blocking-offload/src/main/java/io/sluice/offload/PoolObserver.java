package io.sluice.offload;

/** Observes a pool. It is called on the thread of the event and must neither block nor throw. */
public interface PoolObserver {

    /** Ignores all events. */
    PoolObserver NONE = new PoolObserver() { };

    /** A task was refused. */
    default void refused(OffloadException.Refused.Reason reason) {
    }

    /** A worker began a task. */
    default void started(long queuedNanos) {
    }

    /** A worker ended a task, successful or not. */
    default void finished(long ranNanos) {
    }

    /** A task was cancelled, or its deadline passed, while it was running or queued. */
    default void cancelled(boolean running) {
    }
}
