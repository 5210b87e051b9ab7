package io.sluice.gateway.http1;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.EventExecutorGroup;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.exchange.ExchangeFactory;
import io.sluice.gateway.net.ConnectionWatch;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.Protocol;
import io.sluice.gateway.net.ReadAhead;

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
public final class Http1Pipeline implements Protocol {
    private static final int FLUSH_AFTER = 256;

    private final ServerConfig config;
    private final ExchangeFactory exchanges;
    private final Connections connections;
    private final EventExecutorGroup pinned;

    /**
     * For a listener's connections.
     *
     * @param pinned where their handlers run, or null for the connection's event loop, where they belong
     */
    public Http1Pipeline(ServerConfig config, ExchangeFactory exchanges, Connections connections,
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
