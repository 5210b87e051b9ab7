package io.sluice.gateway.pipeline;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayDeque;

/**
 * Keeps what a client sends while nobody wants it. The connection is read on, up to a bound: on NIO the end
 * of a connection is found behind the last byte that the client sent before it went away, or not at all.
 */
final class ReadAhead extends ChannelInboundHandlerAdapter {
    /** From here on the client has to wait, and that it went away is noticed only when it is read again. */
    private static final int BOUND = 64 * 1024;
    private static final int SMALL = 1024;

    private final ArrayDeque<ByteBuf> kept = new ArrayDeque<>(2);
    private ChannelHandlerContext ctx;
    private int bytes;
    private boolean paused;
    private boolean passing;

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
    }

    /** What comes from now on is kept. */
    void pause() {
        paused = true;
    }

    /** Hands on what was kept, as long as nobody pauses again. */
    void resume() {
        paused = false;
        if (passing) {
            return; // whoever is at it goes on
        }
        while (!paused && !kept.isEmpty()) {
            ByteBuf next = kept.poll();
            bytes -= cost(next);
            pass(next);
        }
        if (bytes < BOUND) {
            ctx.channel().config().setAutoRead(true);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!paused && kept.isEmpty()) {
            pass(message);
            return;
        }
        ByteBuf read = (ByteBuf) message;
        kept.add(read);
        bytes += cost(read);
        if (bytes >= BOUND) {
            ctx.channel().config().setAutoRead(false);
        }
    }

    /** Many small pieces hold more memory than they have bytes. */
    private static int cost(ByteBuf read) {
        return Math.max(read.readableBytes(), SMALL);
    }

    private void pass(Object message) {
        passing = true;
        try {
            ctx.fireChannelRead(message);
        } finally {
            passing = false;
        }
    }

    /** Forgets what was kept. */
    void clear() {
        kept.forEach(ByteBuf::release);
        kept.clear();
        bytes = 0;
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        clear();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        clear();
    }
}
