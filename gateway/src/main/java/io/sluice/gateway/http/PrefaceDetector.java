package io.sluice.gateway.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.sluice.gateway.http2.Http2Pipeline;
import io.sluice.gateway.net.ConnectionWatch;
import io.sluice.gateway.net.Connections;

/**
 * Stands before what speaks HTTP/1 until a connection's first bytes have told whether a client speaks HTTP/2
 * without having asked (RFC 9113 section 3.3). No request of HTTP/1 that we answer begins like the preface:
 * what differs from it is handed on with its first byte that does.
 */
final class PrefaceDetector extends ChannelInboundHandlerAdapter {
    private static final ByteBuf PREFACE = Http2CodecUtil.connectionPrefaceBuf();

    private final Http2Pipeline http2;
    private final ConnectionWatch watch;
    /** What is a part of the preface so far; or null. */
    private ByteBuf held;

    PrefaceDetector(Http2Pipeline http2, ConnectionWatch watch) {
        this.http2 = http2;
        this.watch = watch;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf first = append((ByteBuf) message);
        int known = Math.min(first.readableBytes(), PREFACE.capacity());
        boolean preface = startsLikePreface(first, known);
        if (preface && known < PREFACE.capacity()) {
            held = first;
            return;
        }
        held = null;
        if (preface) {
            ChannelPipeline pipeline = ctx.pipeline();
            while (pipeline.last() != this) {
                pipeline.removeLast();
            }
            http2.addTo(pipeline, watch);
        }
        ctx.pipeline().remove(this);
        ctx.fireChannelRead(first);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (held != null && event instanceof Connections.MemoryShortEvent) {
            ctx.close(); // in which protocol it could be answered is not known yet
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    private ByteBuf append(ByteBuf read) {
        if (held == null) {
            return read;
        }
        try {
            return held.writeBytes(read);
        } finally {
            read.release();
        }
    }

    private static boolean startsLikePreface(ByteBuf bytes, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes.getByte(bytes.readerIndex() + i) != PREFACE.getByte(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (held != null) {
            held.release();
            held = null;
        }
    }
}
