package io.sluice.gateway.net;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;

/** A protocol that connections speak. */
public interface Protocol {
    /** The most flushes within a read that are put off to its end. */
    int MAX_DELAYED_FLUSHES = 256;

    /**
     * Adds the handlers of the protocol at the end of a pipeline. On the channel's event loop.
     *
     * @param watch of that connection, to be told through {@link ConnectionWatch#watch} what the client has
     *     to send
     */
    void addTo(ChannelPipeline pipeline, ConnectionWatch watch);

    /** Returns the handler that flushes all responses to a read burst at once. */
    static ChannelHandler flushConsolidation() {
        return new FlushConsolidationHandler(MAX_DELAYED_FLUSHES, true);
    }
}
