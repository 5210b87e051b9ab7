package io.sluice.gateway.http2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.sluice.gateway.http2.frames.FrameCodec;
import io.sluice.gateway.net.Connections;

/** Tells the streams of a connection, whose pipelines are their own, that memory is not short any more. */
final class MemoryBackRelay extends ChannelInboundHandlerAdapter {
    private final FrameCodec codec;

    MemoryBackRelay(FrameCodec codec) {
        this.codec = codec;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Connections.MemoryBackEvent) {
            codec.memoryIsBack();
        }
        ctx.fireUserEventTriggered(event);
    }
}
