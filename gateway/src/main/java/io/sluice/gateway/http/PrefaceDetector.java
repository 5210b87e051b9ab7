package io.sluice.gateway.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.sluice.gateway.http2.Http2Pipeline;
import io.sluice.gateway.net.ConnectionEvent;
import io.sluice.gateway.net.ConnectionWatch;
import org.jspecify.annotations.Nullable;

/**
 * Detects clients that speak HTTP/2 with prior knowledge (RFC 9113 section 3.3) by a connection's first
 * bytes. If they are the preface, replaces the handlers of HTTP/1; else passes the bytes on. As no HTTP/1
 * request that the gateway accepts starts like the preface, the first different byte decides.
 */
final class PrefaceDetector extends ChannelInboundHandlerAdapter {
    private static final ByteBuf PREFACE = Http2CodecUtil.connectionPrefaceBuf();

    private final Http2Pipeline http2;
    private final ConnectionWatch watch;
    /** The received part of the preface; null if there is none. */
    private @Nullable ByteBuf held;

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
        if (held != null && event instanceof ConnectionEvent.MemoryShort) {
            ctx.close(); // the protocol for a response is not known yet
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
