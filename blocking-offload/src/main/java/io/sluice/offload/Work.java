package io.sluice.offload;

/** Something that may block. Runs on a worker of an offload pool. */
@FunctionalInterface
public interface Work<T> {

    /**
     * Does it.
     *
     * @param scope tells how long it may take, and when nobody waits for it any more
     */
    T run(WorkScope scope) throws Exception;
}
