package io.sluice.handlers.upstream;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import io.sluice.handlers.upstream.names.ChannelFactories;
import io.sluice.offload.ClientNetwork;

/**
 * The network resources that all upstreams share.
 *
 * @param client opens connections; has the class of their channels
 * @param background an event loop that serves no clients, for checks and look-ups
 * @param channels classes of channels for look-ups
 * @param clock the clock of back-offs and averages
 * @param tunnels limits the connections that have switched protocols
 */
public record UpstreamNetwork(Bootstrap client, EventLoop background, ChannelFactories channels,
                              Ticker clock, TunnelLimit tunnels) {

    /** Limits the connections that a client keeps to endpoints after a switch of protocols. Thread-safe. */
    public interface TunnelLimit {

        /** Counts a connection for a client; returns false if it has too many. */
        boolean tryTake(ClientNetwork client);

        /** Counts a connection of a client no longer. */
        void giveBack(ClientNetwork client);
    }
}
