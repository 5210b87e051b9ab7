package io.sluice.handlers.upstream;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import io.sluice.handlers.upstream.names.ChannelFactories;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

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
    @FunctionalInterface
    public interface TunnelLimit {

        /** Counts a connection for a client. Returns what ends that; null if the client has too many. */
        @Nullable Runnable tryTake(InetAddress client);
    }
}
