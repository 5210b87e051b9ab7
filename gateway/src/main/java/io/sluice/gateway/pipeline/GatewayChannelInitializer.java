package io.sluice.gateway.pipeline;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.util.concurrent.EventExecutorGroup;
import io.sluice.config.Http2Config;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.routing.Router;

/** What a connection that was accepted begins with: a {@link ConnectionWatch} and HTTP/1. */
public final class GatewayChannelInitializer extends ChannelInitializer<Channel> {
    private final Connections connections;
    private final ConnectionWatches watches;
    private final Http1Pipeline http1;
    private final Http2Pipeline http2;

    /**
     * For a listener's connections.
     *
     * @param http2Config null where HTTP/2 is not spoken
     * @param pinned where the handlers of HTTP/1 run, or null for the connection's event loop, where they
     *     belong
     */
    public GatewayChannelInitializer(ServerConfig config, Http2Config http2Config, Router router,
                                     Connections connections, RequestListener listener,
                                     EventExecutorGroup pinned) {
        this.connections = connections;
        watches = new ConnectionWatches(config.timeouts());
        var exchanges = new Exchanges(config, router, listener);
        http1 = new Http1Pipeline(config, exchanges, connections, pinned);
        http2 = http2Config == null ? null : new Http2Pipeline(config, http2Config, exchanges, connections);
    }

    @Override
    protected void initChannel(Channel channel) {
        // Asked for while it is there to be asked for; the channel remembers.
        channel.remoteAddress();
        connections.add(channel);
        ConnectionWatch watch = watches.watch(channel);
        if (http2 != null) {
            channel.pipeline().addLast(new PrefaceDetector(http2, watch));
        }
        http1.addTo(channel.pipeline(), watch);
    }
}
