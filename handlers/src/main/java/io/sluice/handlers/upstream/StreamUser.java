package io.sluice.handlers.upstream;

/** Receives a stream to an endpoint, on its event loop, or the reason why there is none. */
public interface StreamUser {

    /** Called with a stream for one request. */
    void opened(UpstreamStream stream);

    /** Called if no stream could be opened. */
    void failed(UpstreamException cause);
}
