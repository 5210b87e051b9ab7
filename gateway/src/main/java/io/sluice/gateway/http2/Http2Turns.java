package io.sluice.gateway.http2;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.sluice.gateway.net.ReadingTurn;

/**
 * Reads the frames of a connection in turns, as one read can hold hundreds of requests. Between turns, the
 * rest of a read waits in the codec, and the socket is not read.
 */
final class Http2Turns extends ChannelDuplexHandler {
    private ChannelHandlerContext ctx;
    private ReadingTurn turn;
    private boolean waiting;

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
        turn = new ReadingTurn(ctx.executor(), this::continueTurn);
    }

    /** Returns whether the codec may read another frame now. */
    boolean mayContinue() {
        if (!waiting && !turn.tryContinue()) {
            waiting = true;
            ctx.channel().config().setAutoRead(false);
        }
        return !waiting;
    }

    private void continueTurn() {
        waiting = false;
        if (ctx.isRemoved()) {
            return;
        }
        ctx.fireChannelRead(Unpooled.EMPTY_BUFFER);
        ctx.fireChannelReadComplete();
        if (!waiting) {
            ctx.channel().config().setAutoRead(true);
            ctx.read(); // if auto-read was on already: it was switched on between turns
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        turn.onReadStart();
        context.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        turn.onReadEnd();
        context.fireChannelReadComplete();
    }

    /** Ignores reads between turns. The codec requests one whenever auto-read is off. */
    @Override
    public void read(ChannelHandlerContext context) {
        if (!waiting) {
            context.read();
        }
    }
}
