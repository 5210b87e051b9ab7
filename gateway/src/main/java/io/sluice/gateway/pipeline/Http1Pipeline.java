package io.sluice.gateway.pipeline;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.EventExecutorGroup;
import io.sluice.config.ServerConfig;

/**
 * What speaks HTTP/1 on a connection.
 *
 * <pre>
 *   bytes
 *     |  FlushConsolidationHandler   one flush for all answers of a read burst
 *     |  ReadAhead                   what comes while nobody wants it
 *     |  RequestDecoder              bytes to requests, strictly
 *     |  ResponseEncoder             answers to bytes
 *     |  RequestDispatcher           one request at a time to its route
 *   handler
 * </pre>
 */
final class Http1Pipeline implements Protocol {
    private static final int FLUSH_AFTER = 256;

    private final ServerConfig config;
    private final Exchanges exchanges;
    private final Connections connections;
    private final EventExecutorGroup pinned;

    /**
     * For a listener's connections.
     *
     * @param pinned where their handlers run, or null for the connection's event loop, where they belong
     */
    Http1Pipeline(ServerConfig config, Exchanges exchanges, Connections connections,
                  EventExecutorGroup pinned) {
        this.config = config;
        this.exchanges = exchanges;
        this.connections = connections;
        this.pinned = pinned;
    }

    @Override
    @SuppressWarnings("deprecation") // addLast(group, handler) is; an experiment shows why
    public void addTo(ChannelPipeline pipeline, ConnectionWatch watch) {
        var readAhead = new ReadAhead();
        var decoder = new RequestDecoder(config, readAhead);
        var dispatcher = new RequestDispatcher(exchanges, connections, readAhead);
        pipeline.addLast(new FlushConsolidationHandler(FLUSH_AFTER, true))
                .addLast(pinned, readAhead)
                .addLast(pinned, decoder)
                .addLast(pinned, new ResponseEncoder(exchanges.answerHeaders()))
                .addLast(pinned, dispatcher);
        if (pinned == null) {
            watch.watch(new Http1Watched(decoder, dispatcher));
        }
    }
}
