package io.sluice.offload;

/** A task that may block. Runs on a worker of an offload pool. */
@FunctionalInterface
public interface Work<T> {

    /**
     * Runs the task on a worker's thread.
     *
     * @param scope has the deadline, and reports when the result is no longer needed
     */
    T run(WorkScope scope) throws Exception;
}
