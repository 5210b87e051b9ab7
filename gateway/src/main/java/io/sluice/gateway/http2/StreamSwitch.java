package io.sluice.gateway.http2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.sluice.gateway.exchange.AnswerHeaders;
import io.sluice.gateway.http2.frames.FrameCodec;
import io.sluice.handlers.Exchange;

/** Takes HTTP out of a stream's pipeline (RFC 8441 section 5). What came behind the request goes on. */
final class StreamSwitch {

    private StreamSwitch() {
    }

    /** The answer that opens a tunnel: a 200, whose body is the tunnel. */
    static HttpResponse answer(Exchange exchange, AnswerHeaders answerHeaders, HttpHeaders headers) {
        answerHeaders.setServerAndDate(headers);
        AnswerHeaders.setRequestId(exchange.requestId(), headers);
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, headers);
    }

    /**
     * Puts a tunnel in the place of the dispatcher whose context this is, and only then flushes its answer.
     */
    static void run(ChannelHandlerContext dispatcher, FrameCodec codec, StreamTunnel tunnel) {
        codec.watch(((Http2StreamChannel) dispatcher.channel()).stream(), tunnel);
        dispatcher.pipeline().addLast(tunnel);
        dispatcher.pipeline().remove(StreamAnswerEncoder.class);
        dispatcher.pipeline().remove(dispatcher.handler());
        tunnel.begin();
    }
}
