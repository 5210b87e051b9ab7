package io.sluice.gateway.pipeline;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.routing.Router;

/**
 * The pipeline of a connection.
 *
 * <pre>
 *   socket
 *     |  FlushConsolidationHandler   one flush for all answers of a read burst
 *     |  RequestDecoder              bytes to requests, strictly
 *     |  ResponseEncoder             answers to bytes
 *     |  RequestDispatcher           one request at a time to its route
 *   handler
 * </pre>
 */
public final class GatewayChannelInitializer extends ChannelInitializer<Channel> {
    private static final int FLUSH_AFTER = 256;

    private final ServerConfig config;
    private final Router router;
    private final Connections connections;
    private final RequestListener listener;

    /** For a listener's connections. */
    public GatewayChannelInitializer(ServerConfig config, Router router, Connections connections,
                                     RequestListener listener) {
        this.config = config;
        this.router = router;
        this.connections = connections;
        this.listener = listener;
    }

    @Override
    protected void initChannel(Channel channel) {
        connections.add(channel);
        channel.pipeline()
                .addLast(new FlushConsolidationHandler(FLUSH_AFTER, true))
                .addLast(new RequestDecoder(config))
                .addLast(new ResponseEncoder())
                .addLast(new RequestDispatcher(config, router, connections, listener));
    }
}
