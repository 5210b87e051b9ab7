package io.sluice.gateway.http1;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.sluice.gateway.exchange.RequestId;
import io.sluice.gateway.exchange.ResponseHeaders;
import io.sluice.gateway.net.LingeringClose;
import io.sluice.gateway.routing.ErrorMapper;

/** Responds with 400 to clients that speak plain HTTP on a port for TLS. */
public final class PlainHttpRefusal {
    private final ResponseHeaders headers;

    public PlainHttpRefusal(ResponseHeaders headers) {
        this.headers = headers;
    }

    /** Responds and closes the connection. The caller drops the rest of the read. */
    public void answer(ChannelHandlerContext ctx) {
        String requestId = RequestId.of(null);
        FullHttpResponse answer = ErrorMapper.answer(HttpResponseStatus.BAD_REQUEST,
                "this port speaks TLS (expected: https)", requestId, ctx.alloc());
        ResponseHeaders.setRequestId(requestId, answer.headers());
        HttpUtil.setContentLength(answer, answer.content().readableBytes());
        answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        ctx.pipeline().addBefore(ctx.name(), null, new ResponseEncoder(headers));
        ctx.write(answer, ctx.voidPromise());
        LingeringClose.close(ctx);
    }
}
