package io.sluice.gateway.http2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.sluice.gateway.http2.frames.FrameCodec;
import io.sluice.gateway.net.ConnectionEvent;
import java.util.concurrent.atomic.AtomicInteger;

/** Forwards events of a connection to its streams, which have pipelines of their own. */
final class StreamEventForwarder extends ChannelInboundHandlerAdapter {
    private final FrameCodec codec;

    StreamEventForwarder(FrameCodec codec) {
        this.codec = codec;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        switch (event) {
            case ConnectionEvent.Drain drain -> {
                int streams = codec.connection().numActiveStreams();
                var notified = new AtomicInteger();
                codec.notifyStreams(() -> drain.ofStream(notified.getAndIncrement(), streams));
            }
            case ConnectionEvent _ -> codec.notifyStreams(() -> event);
            default -> { }
        }
        ctx.fireUserEventTriggered(event);
    }
}
