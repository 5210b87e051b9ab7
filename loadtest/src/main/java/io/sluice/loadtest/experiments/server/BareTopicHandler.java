package io.sluice.loadtest.experiments.server;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler.HandshakeComplete;

/**
 * Subscribes WebSockets to the topic, and publishes the bodies of requests; one is answered when that is
 * done.
 */
final class BareTopicHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

    private final BareTopic topic;
    private final Publisher publisher;

    /** Publishes a message. */
    @FunctionalInterface
    interface Publisher {

        /**
         * Publishes it.
         *
         * @param done to be run when that is done, on any thread
         */
        void publish(byte[] text, Runnable done);
    }

    BareTopicHandler(BareTopic topic, Publisher publisher) {
        this.topic = topic;
        this.publisher = publisher;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof HandshakeComplete) {
            topic.subscribe(context.channel());
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        publisher.publish(ByteBufUtil.getBytes(request.content()), () -> {
            var answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK,
                    ByteBufUtil.writeAscii(context.alloc(), "{}"));
            answer.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
                    .setInt(HttpHeaderNames.CONTENT_LENGTH, answer.content().readableBytes());
            context.writeAndFlush(answer, context.voidPromise());
        });
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
