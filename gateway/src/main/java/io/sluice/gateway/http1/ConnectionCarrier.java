package io.sluice.gateway.http1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.sluice.gateway.exchange.Carrier;
import io.sluice.gateway.exchange.ExchangeFactory;
import io.sluice.gateway.exchange.HttpExchange;
import io.sluice.gateway.exchange.TimeWatch;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.LingeringClose;
import io.sluice.gateway.net.ReadAhead;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Tunnel;

/** The transport of the exchanges on an HTTP/1 connection, one at a time. */
final class ConnectionCarrier implements Carrier {
    private final RequestDispatcher dispatcher;
    private final ExchangeFactory exchanges;
    private final Connections connections;
    private final ReadAhead readAhead;
    private final TimeWatch timeWatch = new TimeWatch(true);

    ConnectionCarrier(RequestDispatcher dispatcher, ExchangeFactory exchanges, Connections connections,
                      ReadAhead readAhead) {
        this.dispatcher = dispatcher;
        this.exchanges = exchanges;
        this.connections = connections;
        this.readAhead = readAhead;
    }

    @Override
    public ChannelHandlerContext context() {
        return dispatcher.context();
    }

    @Override
    public TimeWatch timeWatch() {
        return timeWatch;
    }

    @Override
    public boolean prepare(HttpExchange exchange, HttpResponse answer, long length) {
        boolean mayKeepAlive = !dispatcher.dropsInput() && !connections.draining()
                && exchange.body().canBeSkipped()
                && exchanges.answerHeaders().mayFollow(dispatcher.requests());
        if (length < 0 && exchange.request().protocolVersion().minorVersion() == 0) {
            LingeringClose.resetUnlessComplete(context().channel()); // HTTP/1.0 has no chunks
        }
        return exchanges.answerHeaders().complete(exchange, answer, length, mayKeepAlive);
    }

    @Override
    public Object piece(ByteBuf content) {
        return new DefaultHttpContent(content);
    }

    @Override
    public void deliverBody() {
        dispatcher.deliverHeld();
    }

    @Override
    public void reset() {
        dispatcher.reset();
    }

    @Override
    public void ended(HttpExchange exchange, boolean keepAlive) {
        exchanges.ended(exchange);
        dispatcher.ended(exchange, keepAlive);
    }

    @Override
    public HttpResponse upgrade(HttpExchange exchange, String protocol, HttpHeaders headers) {
        if (connections.draining()) {
            throw HttpException.tryAgain("the gateway is about to stop", null);
        }
        return ProtocolSwitch.answer(exchange, protocol, headers);
    }

    @Override
    public void handOver(HttpExchange exchange, Tunnel tunnel) {
        ChannelHandlerContext ctx = context();
        var next = new ConnectionTunnel(tunnel, exchange.tunnels(), connections.tunnels(), ctx.executor(),
                readAhead);
        next.register(exchange.credential());
        dispatcher.retire();
        exchange.end(true);
        close();
        readAhead.handOver(() -> ProtocolSwitch.run(ctx, next));
    }

    /** Ends the use of the connection for exchanges. */
    void close() {
        timeWatch.close();
    }
}
