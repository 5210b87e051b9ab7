package io.sluice.gateway.pipeline;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.util.concurrent.EventExecutorGroup;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.routing.Router;

/** What a connection that was accepted begins with: a {@link ConnectionWatch} and HTTP/1. */
public final class GatewayChannelInitializer extends ChannelInitializer<Channel> {
    private final Connections connections;
    private final ConnectionWatches watches;
    private final Http1Pipeline http1;

    /**
     * For a listener's connections.
     *
     * @param pinned where their handlers run, or null for the connection's event loop, where they belong
     */
    public GatewayChannelInitializer(ServerConfig config, Router router, Connections connections,
                                     RequestListener listener, EventExecutorGroup pinned) {
        this.connections = connections;
        watches = new ConnectionWatches(config.timeouts());
        http1 = new Http1Pipeline(config, router, connections, listener, pinned);
    }

    @Override
    protected void initChannel(Channel channel) {
        // Asked for while it is there to be asked for; the channel remembers.
        channel.remoteAddress();
        connections.add(channel);
        http1.addTo(channel.pipeline(), watches.watch(channel));
    }
}
