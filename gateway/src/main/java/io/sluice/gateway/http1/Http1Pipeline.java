package io.sluice.gateway.http1;

import io.netty.channel.ChannelPipeline;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.exchange.ExchangeFactory;
import io.sluice.gateway.net.ConnectionWatch;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.Protocol;
import io.sluice.gateway.net.ReadAhead;

/**
 * The handlers of an HTTP/1 connection.
 *
 * <pre>
 *   bytes
 *     |  FlushConsolidationHandler   one flush for all responses to a read burst
 *     |  ReadAhead                   holds input until it is demanded
 *     |  RequestDecoder              decodes bytes to requests, strictly
 *     |  ResponseEncoder             encodes responses to bytes
 *     |  RequestDispatcher           dispatches requests to routes, one at a time
 *   handler
 * </pre>
 */
public final class Http1Pipeline implements Protocol {
    private final ServerConfig config;
    private final ExchangeFactory exchanges;
    private final Connections connections;

    /** Creates the pipelines of a listener's connections. */
    public Http1Pipeline(ServerConfig config, ExchangeFactory exchanges, Connections connections) {
        this.config = config;
        this.exchanges = exchanges;
        this.connections = connections;
    }

    @Override
    public void addTo(ChannelPipeline pipeline, ConnectionWatch watch) {
        var readAhead = new ReadAhead();
        var memory = exchanges.memoryOf(pipeline.channel());
        var dispatcher = new RequestDispatcher(exchanges, connections, readAhead, memory);
        pipeline.addLast(Protocol.flushConsolidation())
                .addLast(readAhead)
                .addLast(new RequestDecoder(config, readAhead, memory))
                .addLast(new ResponseEncoder(exchanges.answerHeaders()))
                .addLast(dispatcher);
        watch.watch(new Http1ExpectedInput(dispatcher));
    }
}
