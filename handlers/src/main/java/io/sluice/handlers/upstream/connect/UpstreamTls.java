package io.sluice.handlers.upstream.connect;

import io.netty.handler.ssl.SslHandler;

/** Secures connections to endpoints. Any thread. */
@FunctionalInterface
public interface UpstreamTls {

    /**
     * Creates the handler of a new connection, a client that verifies the endpoint's certificate and its
     * name. Its handshake begins when it is added to the pipeline.
     *
     * @param host of the endpoint's URL
     */
    SslHandler newHandler(String host, int port);

    /**
     * Sets an action that runs when new connections have another identity, or trust other authorities, than
     * those before. It never runs if these are fixed.
     */
    default void onChange(Runnable action) {
    }

    /** Returns TLS of connections that offer no other protocol than HTTP/1.1. */
    default UpstreamTls ofHttp1() {
        return this;
    }
}
