package io.sluice.loadtest.experiments.server;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler.HandshakeComplete;

/** Echoes every frame, subscribes WebSockets to the topic, and publishes POST bodies. */
final class BareSocketHandler extends SimpleChannelInboundHandler<Object> {

    private final ChannelGroup subscribers;

    BareSocketHandler(ChannelGroup subscribers) {
        this.subscribers = subscribers;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof HandshakeComplete done && done.requestUri().startsWith("/ws/topics/")) {
            subscribers.add(context.channel());
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Object message) {
        switch (message) {
            case WebSocketFrame frame -> context.writeAndFlush(frame.retain(), context.voidPromise());
            case FullHttpRequest request -> publish(context, request);
            default -> context.close();
        }
    }

    private void publish(ChannelHandlerContext context, FullHttpRequest request) {
        var known = request.method().equals(HttpMethod.POST) && request.uri().startsWith("/topics/");
        if (known) {
            subscribers.writeAndFlush(new TextWebSocketFrame(request.content().retain()));
        }
        var answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1,
                known ? HttpResponseStatus.OK : HttpResponseStatus.NOT_FOUND,
                ByteBufUtil.writeAscii(
                        context.alloc(), "{\"subscribers\": %d}".formatted(subscribers.size())));
        answer.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
                .set(HttpHeaderNames.CONTENT_LENGTH, answer.content().readableBytes());
        context.writeAndFlush(answer, context.voidPromise());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
