package io.sluice.gateway.http1;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.sluice.gateway.exchange.ResponseHeaders;
import io.sluice.gateway.net.ConnectionWatch;
import io.sluice.gateway.tunnel.TunnelHandler;
import io.sluice.handlers.Exchange;

/**
 * Replaces HTTP/1 in a pipeline by another protocol (RFC 9110 section 7.8), which gets the bytes that were
 * read after the last request.
 */
final class ProtocolSwitch {

    private ProtocolSwitch() {
    }

    /** Returns the 101 that switches the protocol. */
    static FullHttpResponse answer(Exchange exchange, String protocol, HttpHeaders headers) {
        headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
                .set(HttpHeaderNames.UPGRADE, protocol);
        ResponseHeaders.setRequestId(exchange.requestId(), headers);
        return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS,
                Unpooled.EMPTY_BUFFER, headers, EmptyHttpHeaders.INSTANCE);
    }

    /**
     * Replaces the dispatcher by a tunnel and only then flushes the 101. A client that has read the 101 may
     * rely on the tunnel's first action, such as a subscription. The client is no longer watched if the
     * tunnel has an idle timeout; otherwise it has to read at the minimum pace.
     */
    static void run(ChannelHandlerContext dispatcher, TunnelHandler tunnel) {
        ChannelPipeline pipeline = dispatcher.pipeline();
        pipeline.remove(ResponseEncoder.class);
        pipeline.addLast(tunnel);
        if (tunnel.hasIdleTimeout()) {
            pipeline.remove(ConnectionWatch.class);
        } else {
            pipeline.get(ConnectionWatch.class).watchSocket();
        }
        pipeline.remove(dispatcher.handler());
        pipeline.remove(RequestDecoder.class);
        pipeline.remove(FlushConsolidationHandler.class);
        pipeline.flush();
    }
}
