package io.sluice.handlers.upstream.connect;

import io.netty.channel.ChannelPipeline;
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

    /** Adds such a handler to the front of a pipeline, with limits of what the endpoint may send by TLS. */
    default void addTo(ChannelPipeline pipeline, SslHandler handler) {
        pipeline.addFirst(handler);
    }

    /**
     * Sets an action that runs when new connections have another identity, or trust other authorities, than
     * those before. It never runs if these are fixed.
     */
    default void onChange(Runnable action) {
    }

    /** Creates the handler of a new connection that offers no other protocol than HTTP/1.1. */
    default SslHandler newHttp1Handler(String host, int port) {
        return newHandler(host, port);
    }
}
