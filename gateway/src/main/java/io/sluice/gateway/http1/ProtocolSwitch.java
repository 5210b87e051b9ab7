package io.sluice.gateway.http1;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
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
import io.sluice.gateway.exchange.AnswerHeaders;
import io.sluice.gateway.net.ConnectionWatch;
import io.sluice.handlers.Exchange;

/** Takes HTTP out of a pipeline (RFC 9110 section 7.8). What was read behind the last request goes on. */
final class ProtocolSwitch {

    private ProtocolSwitch() {
    }

    /** The answer that leads to another protocol: a 101, which has no body. */
    static FullHttpResponse answer(Exchange exchange, String protocol, HttpHeaders headers) {
        headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
                .set(HttpHeaderNames.UPGRADE, protocol);
        AnswerHeaders.setRequestId(exchange.requestId(), headers);
        return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS,
                Unpooled.EMPTY_BUFFER, headers, EmptyHttpHeaders.INSTANCE);
    }

    /**
     * Puts another protocol in the place of the dispatcher whose context this is, and only then flushes the
     * answer that leads to it: its client may rely on what the protocol has done by now, say subscribed.
     */
    static void run(ChannelHandlerContext dispatcher, ChannelHandler protocol) {
        ChannelPipeline pipeline = dispatcher.pipeline();
        pipeline.remove(ResponseEncoder.class);
        pipeline.remove(ConnectionWatch.class);
        pipeline.addLast(protocol);
        pipeline.remove(dispatcher.handler());
        pipeline.remove(RequestDecoder.class);
        pipeline.remove(FlushConsolidationHandler.class);
        pipeline.flush();
    }
}
