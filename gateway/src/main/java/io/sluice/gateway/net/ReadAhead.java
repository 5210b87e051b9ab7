package io.sluice.gateway.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.sluice.gateway.limits.DirectMemory;
import org.jspecify.annotations.Nullable;

/**
 * Buffers input of a client while the protocol does not accept any. The connection is still read, up to a
 * limit: on NIO, the end of a connection is detected only after the last byte that the client sent, or not
 * at all.
 */
public final class ReadAhead extends ChannelInboundHandlerAdapter {
    /**
     * In bytes. Beyond this limit the socket is not read, and a disconnect is detected only after it is read
     * again.
     */
    private static final int BOUND = 64 * 1024;
    /** Bytes that are passed on at a time, as the protocol may accept no more than a part. */
    private static final int PIECE = 4 * 1024;

    private ChannelHandlerContext ctx;
    /**
     * Buffered input, copied together because a read of one byte can occupy as much memory as one of
     * thousands; null if there is none.
     */
    private @Nullable ByteBuf kept;
    private boolean paused;
    /** Indicates whether nothing is read while this is paused. */
    private boolean stopped;
    private boolean passing;
    /** Indicates whether the decoder keeps input, and needs a call to continue. */
    private boolean decoderHoldsRest;
    /** The client has closed its sending half; reported after the buffered input. */
    private boolean ended;

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
    }

    /**
     * Buffers all input from now on.
     *
     * @param stopsReading whether that is no more than what has been read by now: for a body of which its
     *     reader has enough
     */
    public void pause(boolean stopsReading) {
        paused = true;
        stopped = stopsReading;
        if (stopped) {
            ctx.channel().config().setAutoRead(false);
        } else {
            resumeReading();
        }
    }

    /**
     * Makes the decoder keep the rest of its input, too, while this is paused: {@link #resume} will pass an
     * empty buffer to make it continue.
     *
     * @return whether this is paused
     */
    public boolean pauseDecoder() {
        decoderHoldsRest = paused;
        return paused;
    }

    /** Passes on buffered input until it is paused again. */
    public void resume() {
        paused = false;
        stopped = false;
        if (passing) {
            return; // the call further up the stack continues
        }
        boolean any = decoderHoldsRest || kept != null;
        if (decoderHoldsRest) {
            decoderHoldsRest = false;
            pass(Unpooled.EMPTY_BUFFER);
        }
        while (!paused && kept != null) {
            pass(take(kept));
        }
        if (any) {
            ctx.fireChannelReadComplete();
        }
        if (ended && !paused) {
            ended = false;
            ctx.fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        }
        resumeReading();
    }

    private void resumeReading() {
        if (!stopped && (kept == null || kept.readableBytes() < BOUND)) {
            ctx.channel().config().setAutoRead(true);
        }
    }

    /**
     * Replaces the receiver of input, which may pause on its own. No buffered input is passed on until the
     * change is done.
     */
    public void handOver(Runnable change) {
        boolean within = passing;
        passing = true;
        paused = false;
        stopped = false;
        decoderHoldsRest = false;
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
     * While paused, buffers what a decoder has left over, in front of input that arrived later.
     *
     * @param bytes owned by this handler from here on if it returns true
     * @return whether the bytes were taken
     */
    public boolean takeBack(ByteBuf bytes) {
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

    private ByteBuf take(ByteBuf from) {
        int length = Math.min(PIECE, from.readableBytes());
        ByteBuf piece = ctx.alloc().buffer(length).writeBytes(from, length);
        if (from.isReadable()) {
            from.discardSomeReadBytes();
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
        if (event instanceof ConnectionEvent.MemoryBack) {
            resumeReading();
            context.fireChannelWritabilityChanged(); // writers that waited for memory may continue
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

    /** Releases buffered input. */
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
