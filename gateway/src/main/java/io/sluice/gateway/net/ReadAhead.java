package io.sluice.gateway.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.sluice.gateway.limits.DirectMemory;

/**
 * Keeps what a client sends while nobody wants it. The connection is read on, up to a bound: on NIO the end
 * of a connection is found behind the last byte that the client sent before it went away, or not at all.
 */
public final class ReadAhead extends ChannelInboundHandlerAdapter {
    /** In bytes. From here on the client has to wait, and is found gone only when it is read again. */
    private static final int BOUND = 64 * 1024;
    /** What is handed on at a time: a piece of it may be all that is wanted. */
    private static final int PIECE = 4 * 1024;

    private ChannelHandlerContext ctx;
    /** Copied together, since a read of one byte may hold as much memory as one of thousands; or null. */
    private ByteBuf kept;
    private boolean paused;
    private boolean passing;
    private boolean restBehind;
    /** The client has closed its sending half behind what is kept. */
    private boolean ended;

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
    }

    /** What comes from now on is kept. */
    public void pause() {
        paused = true;
    }

    /** Whether who decodes is to keep the rest, too; if so, a read of nothing says when to go on. */
    public boolean isPaused() {
        restBehind = paused;
        return paused;
    }

    /** Hands on what was kept, as long as nobody pauses again. */
    public void resume() {
        paused = false;
        if (passing) {
            return; // whoever is at it goes on
        }
        boolean any = restBehind || kept != null;
        if (restBehind) {
            restBehind = false;
            pass(Unpooled.EMPTY_BUFFER);
        }
        while (!paused && kept != null) {
            pass(take());
        }
        if (any) {
            ctx.fireChannelReadComplete();
        }
        if (ended && !paused) {
            ended = false;
            ctx.fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        }
        readOn();
    }

    private void readOn() {
        if (kept == null || kept.readableBytes() < BOUND) {
            ctx.channel().config().setAutoRead(true);
        }
    }

    /**
     * Lets another take what comes from now on, who may pause for itself. Nothing that was kept is handed on
     * before the change is done.
     */
    public void handOver(Runnable change) {
        boolean within = passing;
        passing = true;
        paused = false;
        restBehind = false;
        try {
            change.run();
        } finally {
            passing = within;
        }
        if (!paused) {
            resume();
        }
    }

    /**
     * Keeps what a decoder has left over, in front of what came later, where this is paused.
     *
     * @param bytes owned by this from here on, where the answer is true
     * @return whether it does
     */
    public boolean takesBack(ByteBuf bytes) {
        if (paused) {
            try {
                ByteBuf all = ctx.alloc().buffer(bytes.readableBytes()).writeBytes(bytes);
                if (kept != null) {
                    all.writeBytes(kept);
                    clear();
                }
                kept = all;
            } finally {
                bytes.release();
            }
        }
        return paused;
    }

    private ByteBuf take() {
        int length = Math.min(PIECE, kept.readableBytes());
        ByteBuf piece = ctx.alloc().buffer(length).writeBytes(kept, length);
        if (kept.isReadable()) {
            kept.discardSomeReadBytes();
        } else {
            clear();
        }
        return piece;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!paused && kept == null) {
            pass(message);
            return;
        }
        ByteBuf read = (ByteBuf) message;
        try {
            if (kept == null) {
                kept = ctx.alloc().buffer(read.readableBytes());
            }
            kept = DirectMemory.withRoom(ctx.alloc(), kept, read.readableBytes());
            kept.writeBytes(read);
        } finally {
            read.release();
        }
        if (kept.readableBytes() >= BOUND || DirectMemory.isShort()) {
            ctx.channel().config().setAutoRead(false);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof Connections.MemoryBackEvent) {
            readOn();
            context.fireChannelWritabilityChanged(); // who has something to send may do it again
        } else if (event instanceof ChannelInputShutdownEvent && (paused || kept != null)) {
            ended = true;
        } else {
            context.fireUserEventTriggered(event);
        }
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
    public void clear() {
        if (kept != null) {
            kept.release();
            kept = null;
        }
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
