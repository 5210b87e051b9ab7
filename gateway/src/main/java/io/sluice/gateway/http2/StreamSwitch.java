package io.sluice.gateway.http2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.sluice.gateway.exchange.ResponseHeaders;
import io.sluice.gateway.http2.frames.FrameCodec;
import io.sluice.handlers.Exchange;

/**
 * Replaces HTTP in a stream's pipeline by a tunnel (RFC 8441 section 5), which gets the input after the
 * request.
 */
final class StreamSwitch {

    private StreamSwitch() {
    }

    /** Returns the 200 that opens a tunnel. */
    static HttpResponse answer(Exchange exchange, ResponseHeaders answerHeaders, HttpHeaders headers) {
        answerHeaders.setCommonFields(headers);
        ResponseHeaders.setRequestId(exchange.requestId(), headers);
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, headers);
    }

    /** Replaces the dispatcher by a tunnel and only then flushes the 200. */
    static void run(ChannelHandlerContext dispatcher, FrameCodec codec, StreamTunnel tunnel) {
        codec.watch(((Http2StreamChannel) dispatcher.channel()).stream(), tunnel);
        dispatcher.pipeline().addLast(tunnel);
        dispatcher.pipeline().remove(StreamResponseEncoder.class);
        dispatcher.pipeline().remove(dispatcher.handler());
        tunnel.begin();
    }
}
