package io.sluice.loadtest.experiments.driver;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/** One kept-alive connection with at most one request in flight. */
final class HttpConnection extends SimpleChannelInboundHandler<HttpObject> implements Connection {

    private final Connections home;
    @SuppressWarnings("NullAway.Init") // set before the connection is announced
    private Channel channel;
    private @Nullable Exchange exchange;
    private int status;
    private long bodyBytes;
    private boolean keepAlive;

    HttpConnection(Connections home) {
        this.home = home;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel = context.channel();
        home.connected(this);
    }

    @Override
    public void send(Exchange next) {
        exchange = next;
        bodyBytes = 0;
        var bytes = next.request().bytes();
        var buffer = channel.alloc().ioBuffer(bytes.length).writeBytes(bytes);
        channel.writeAndFlush(buffer, channel.voidPromise());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        var current = exchange;
        if (part.decoderResult().isFailure() || current == null) {
            context.close();
            return;
        }
        if (part instanceof HttpResponse head) {
            status = head.status().code();
            keepAlive = HttpUtil.isKeepAlive(head);
        }
        if (part instanceof HttpContent content) {
            bodyBytes += content.content().readableBytes();
        }
        if (part instanceof LastHttpContent) {
            answered(context, current);
        }
    }

    private void answered(ChannelHandlerContext context, Exchange done) {
        exchange = null;
        home.answered(done, AnswerClass.of(status, bodyBytes), bodyBytes);
        if (keepAlive) {
            home.free(this);
        } else {
            context.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        var lost = exchange;
        exchange = null;
        home.lost(this, lost);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
