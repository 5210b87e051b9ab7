package io.sluice.loadtest.experiments.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;

/** Answers with a greeting, as text or as JSON. */
final class BareHttpHandler extends SimpleChannelInboundHandler<HttpObject> {

    private static final AsciiString TEXT = AsciiString.cached("text/plain; charset=utf-8");
    private static final AsciiString JSON = AsciiString.cached("application/json");

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
        if (message instanceof HttpRequest request) {
            switch (request.uri()) {
                case "/benchmark/hello" -> answer(context, HttpResponseStatus.OK, TEXT, "Hello, World!");
                case "/benchmark/json" -> answer(context, HttpResponseStatus.OK, JSON,
                        "{\"timestamp\":" + System.currentTimeMillis() + ",\"data\":{\"server\":\"netty\","
                                + "\"message\":\"Hello, World!\",\"version\":\"0.1.0\"},\"status\":\"ok\"}");
                default -> answer(context, HttpResponseStatus.NOT_FOUND, TEXT, "no such path");
            }
        }
    }

    private static void answer(ChannelHandlerContext context, HttpResponseStatus status, AsciiString type,
            String text) {
        ByteBuf body = ByteBufUtil.writeAscii(context.alloc(), text);
        var answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
        answer.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, type)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        context.write(answer, context.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
