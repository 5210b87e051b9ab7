package io.sluice.gateway.exchange;

/** Is told of every request that has ended, on its event loop. Must be quick and must not throw. */
@FunctionalInterface
public interface RequestObserver {

    /** A request was answered, or its client went away. */
    void ended(ServedRequest request);
}
