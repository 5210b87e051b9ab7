package io.sluice.gateway.exchange;

/** Observes the end of every request, on its event loop. Must be quick and must not throw. */
@FunctionalInterface
public interface RequestObserver {

    /** Called after a request's response has been written or its client has left. */
    void ended(ServedRequest request);
}
