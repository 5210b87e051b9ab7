package io.sluice.gateway.net;

import io.netty.channel.ChannelPipeline;

/** A protocol that connections speak. */
public interface Protocol {

    /**
     * Adds the handlers of the protocol at the end of a pipeline. On the channel's event loop.
     *
     * @param watch of that connection, to be told through {@link ConnectionWatch#watch} what the client has
     *     to send
     */
    void addTo(ChannelPipeline pipeline, ConnectionWatch watch);
}
