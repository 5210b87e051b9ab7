package io.sluice.handlers.upstream;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import io.sluice.handlers.upstream.names.ChannelFactories;

/**
 * The network resources that all upstreams share.
 *
 * @param client opens connections; has the class of their channels
 * @param background an event loop that serves no clients, for checks and look-ups
 * @param channels classes of channels for look-ups
 * @param clock the clock of back-offs and averages
 */
public record UpstreamNetwork(Bootstrap client, EventLoop background, ChannelFactories channels,
                              Ticker clock) {
}
