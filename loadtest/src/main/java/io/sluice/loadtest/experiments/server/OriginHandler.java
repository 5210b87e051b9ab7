package io.sluice.loadtest.experiments.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.AsciiString;

/** Answers the paths of the {@link OriginServer} at the end of each request. */
final class OriginHandler extends SimpleChannelInboundHandler<Object> {

    private static final AsciiString TEXT = AsciiString.cached("text/plain; charset=utf-8");
    private static final ByteBuf HELLO = OriginServer.body(13);
    private static final ByteBuf TEN_KILOBYTES = OriginServer.body(10_000);
    private static final ByteBuf MEGABYTE = OriginServer.body(1_000_000);

    private final OriginWorkers workers;
    private String path = "";
    private long received;
    /** The bytes of a long answer that have not been sent. */
    private long left;
    private boolean sending;

    OriginHandler(OriginWorkers workers) {
        this.workers = workers;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Object message) {
        if (message instanceof WebSocketFrame frame) {
            context.write(frame.retain(), context.voidPromise());
        }
        if (message instanceof HttpRequest request) {
            path = request.uri();
            received = 0;
        }
        if (message instanceof HttpContent content) {
            received += content.content().readableBytes();
        }
        if (message instanceof LastHttpContent) {
            answer(context);
        }
    }

    private void answer(ChannelHandlerContext context) {
        switch (path) {
            case OriginServer.HELLO -> write(context, HttpResponseStatus.OK, HELLO.duplicate());
            case OriginServer.TEN_KILOBYTES ->
                    write(context, HttpResponseStatus.OK, TEN_KILOBYTES.duplicate());
            case OriginServer.MEGABYTE -> write(context, HttpResponseStatus.OK, MEGABYTE.duplicate());
            case OriginServer.UPLOAD -> write(context, HttpResponseStatus.OK,
                    ByteBufUtil.writeAscii(context.alloc(), Long.toString(received)));
            case OriginServer.WORK_PATH -> workers.work(context.executor(), () -> {
                write(context, HttpResponseStatus.OK, HELLO.duplicate());
                context.flush();
            });
            default -> {
                if (path.startsWith(OriginServer.BYTES)) {
                    begin(context, Long.parseLong(path.substring(OriginServer.BYTES.length())));
                } else {
                    write(context, HttpResponseStatus.NOT_FOUND,
                            ByteBufUtil.writeAscii(context.alloc(), "no such path"));
                }
            }
        }
    }

    private void begin(ChannelHandlerContext context, long length) {
        var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, TEXT)
                .set(HttpHeaderNames.CONTENT_LENGTH, length);
        context.write(head, context.voidPromise());
        left = length;
        sendMore(context);
    }

    /** Sends what the client has room for. A flush may call this method again, which has no effect. */
    private void sendMore(ChannelHandlerContext context) {
        if (sending) {
            return;
        }
        sending = true;
        while (left > 0 && context.channel().isWritable()) {
            int length = (int) Math.min(left, MEGABYTE.readableBytes());
            left -= length;
            var piece = MEGABYTE.slice(0, length);
            context.writeAndFlush(
                    left > 0 ? new DefaultHttpContent(piece) : new DefaultLastHttpContent(piece),
                    context.voidPromise());
        }
        sending = false;
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        sendMore(context);
    }

    private static void write(ChannelHandlerContext context, HttpResponseStatus status, ByteBuf body) {
        var answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
        answer.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, TEXT)
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
