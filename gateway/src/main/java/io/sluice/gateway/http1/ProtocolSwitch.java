package io.sluice.gateway.http1;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.sluice.gateway.net.ConnectionWatch;

/** Takes HTTP out of a pipeline (RFC 9110 section 7.8). What was read behind the last request goes on. */
final class ProtocolSwitch {

    private ProtocolSwitch() {
    }

    /**
     * Puts another protocol in the place of the dispatcher whose context this is, and only then flushes the
     * answer that leads to it: its client may rely on what the protocol has done by now, say subscribed.
     */
    @SuppressWarnings("deprecation") // addLast(group, handler) is; an experiment shows why
    static void run(ChannelHandlerContext dispatcher, ChannelHandler protocol) {
        ChannelPipeline pipeline = dispatcher.pipeline();
        pipeline.remove(ResponseEncoder.class);
        pipeline.remove(ConnectionWatch.class);
        // Where the dispatcher ran, which need not be the channel's event loop.
        boolean pinned = dispatcher.executor() != dispatcher.channel().eventLoop();
        pipeline.addLast(pinned ? dispatcher.executor() : null, protocol);
        pipeline.remove(dispatcher.handler());
        pipeline.remove(RequestDecoder.class);
        pipeline.remove(FlushConsolidationHandler.class);
        pipeline.flush();
    }
}
