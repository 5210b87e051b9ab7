package io.sluice.gateway.net;

import io.netty.channel.ChannelPipeline;

/** What is spoken on a connection. */
public interface Protocol {

    /**
     * Adds its handlers at a pipeline's end. On the channel's event loop.
     *
     * @param watch over that connection, which wants to know what is being waited for
     */
    void addTo(ChannelPipeline pipeline, ConnectionWatch watch);
}
