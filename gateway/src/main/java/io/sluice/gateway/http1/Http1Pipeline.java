package io.sluice.gateway.http1;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;
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

    /** For a listener's connections. */
    public Http1Pipeline(ServerConfig config, ExchangeFactory exchanges, Connections connections) {
        this.config = config;
        this.exchanges = exchanges;
        this.connections = connections;
    }

    @Override
    public void addTo(ChannelPipeline pipeline, ConnectionWatch watch) {
        var readAhead = new ReadAhead();
        var decoder = new RequestDecoder(config, readAhead);
        var dispatcher = new RequestDispatcher(exchanges, connections, readAhead);
        pipeline.addLast(new FlushConsolidationHandler(FLUSH_AFTER, true))
                .addLast(readAhead)
                .addLast(decoder)
                .addLast(new ResponseEncoder(exchanges.answerHeaders()))
                .addLast(dispatcher);
        watch.watch(new Http1Watched(decoder, dispatcher));
    }
}
