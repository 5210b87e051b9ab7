package io.sluice.loadtest.experiments.peer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.List;

/** Converts responses to messages of Netty's HTTP codec, and reads numeric parameters. */
final class NettyAnswers {

    private NettyAnswers() {}

    static void write(ChannelHandlerContext context, HttpResponseStatus status, Answer answer) {
        write(context, status, answer.type(), ByteBufUtil.writeAscii(context.alloc(), answer.body()));
    }

    static void write(ChannelHandlerContext context, HttpResponseStatus status, String type, ByteBuf body) {
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, type)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        context.writeAndFlush(response, context.voidPromise());
    }

    /** A mandatory numeric parameter. */
    static int number(QueryStringDecoder uri, String name) {
        return Integer.parseInt(uri.parameters().getOrDefault(name, List.of()).getFirst());
    }
}
