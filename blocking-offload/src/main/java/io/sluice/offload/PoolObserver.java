package io.sluice.offload;

/** Is told what happens in a pool, on the thread where it happens. Must be quick and must not throw. */
public interface PoolObserver {

    /** Tells nobody. */
    PoolObserver NONE = new PoolObserver() { };

    /** A task was not taken. */
    default void refused(OffloadException.Refused.Reason reason) {
    }

    /** A worker took a task. */
    default void started(long queuedNanos) {
    }

    /** A worker is through with a task, well or badly. */
    default void finished(long ranNanos) {
    }

    /** A task was cancelled, or its deadline passed. */
    default void cancelled(boolean running) {
    }
}
