package io.sluice.offload;

import org.jspecify.annotations.Nullable;

/** A task that may block. Runs on a worker of an offload pool. */
@FunctionalInterface
public interface Work<T extends @Nullable Object> {

    /**
     * Runs the task on a worker's thread.
     *
     * @param scope has the deadline, and reports when the result is no longer needed
     */
    T run(WorkScope scope) throws Exception;
}
