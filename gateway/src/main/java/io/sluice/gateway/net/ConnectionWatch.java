package io.sluice.gateway.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundBuffer.MessageProcessor;
import io.netty.channel.ChannelPromise;
import io.netty.channel.FileRegion;
import io.netty.channel.nio.AbstractNioChannel.NioUnsafe;
import io.sluice.config.TimeoutsConfig;
import io.sluice.gateway.net.ExpectedInput.Awaited;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enforces the timeouts of a connection's client, both for sending and for reading too slowly. It stands next
 * to the socket and only counts bytes; a {@link WatchRound} makes it compare them with the clock about once a
 * second, so that no request costs a timer.
 */
public final class ConnectionWatch extends ChannelDuplexHandler {
    private static final Logger log = LoggerFactory.getLogger(ConnectionWatch.class);

    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private final TimeoutsConfig timeouts;
    private ChannelHandlerContext ctx;
    private @Nullable ExpectedInput watched = ExpectedInput.NOTHING;
    private long bytesRead;
    private long bytesWritten;

    private Awaited awaited = Awaited.NOTHING;
    private long request;
    private long awaitedSince;
    private long readBefore;

    private MinimumRate reading;

    ConnectionWatch(TimeoutsConfig timeouts) {
        this.timeouts = timeouts;
        reading = new MinimumRate(timeouts);
    }

    /** The result of one check of a connection. */
    enum Check {
        /** The connection is checked again in the next round. */
        DONE,
        /** Some streams of the connection are not checked yet: the check has to be called again at once. */
        MORE,
        /** The connection is closed or no longer watched. */
        OVER
    }

    /** Sets the protocol that knows from here on what the client has to send. */
    public void watch(ExpectedInput protocol) {
        watched = protocol;
    }

    /** Checks from here on only whether the client of a WebSocket reads. */
    public void watchSocket() {
        watched = ExpectedInput.NOTHING;
        reading = MinimumRate.ofSocket(timeouts);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        watched = null;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        bytesRead += size(message);
        context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        bytesWritten += size(message);
        context.write(message, promise);
    }

    private static long size(Object message) {
        return message instanceof ByteBuf bytes ? bytes.readableBytes()
                : message instanceof FileRegion region ? region.count() - region.transferred() : 0;
    }

    /**
     * Checks the progress since the last call.
     *
     * @param now by the event loop's clock, in nanoseconds
     */
    Check check(long now) {
        ExpectedInput protocol = watched;
        if (protocol == null || !ctx.channel().isOpen()) {
            return Check.OVER;
        }
        checkReading(now);
        checkSending(protocol, now);
        return watched != null && watched.checkStreams(now) ? Check.MORE : Check.DONE;
    }

    private void checkSending(ExpectedInput protocol, long now) {
        Awaited what = protocol.awaited();
        if (what != awaited || request != protocol.requests()) {
            awaited = what;
            request = protocol.requests();
            awaitedFrom(now);
        } else if (now - awaitedSince >= limit(what).toNanos()) {
            if (what == Awaited.BODY && bytesRead - readBefore >= MinimumRate.enough(timeouts)) {
                awaitedFrom(now);
            } else {
                awaited = Awaited.NOTHING;
                protocol.tooSlow(what);
            }
        }
    }

    private Duration limit(Awaited what) {
        return switch (what) {
            case NOTHING -> FOREVER;
            case FIRST_HEAD -> timeouts.firstHead();
            case NEXT_REQUEST -> timeouts.idle();
            case HEAD -> timeouts.head();
            case BODY -> timeouts.stall();
        };
    }

    private void awaitedFrom(long now) {
        awaitedSince = now;
        readBefore = bytesRead;
    }

    private void checkReading(long now) {
        boolean tooSlow = readsTooSlowly(now);
        if (tooSlow && writesNow()) {
            tooSlow = readsTooSlowly(now); // not if the socket had room that the selector does not report
        }
        if (tooSlow) {
            log.debug("{} does not read what it is sent", ctx.channel());
            giveUp();
        }
    }

    private boolean readsTooSlowly(long now) {
        ChannelOutboundBuffer out = ctx.channel().unsafe().outboundBuffer();
        boolean unread = out != null && (out.totalPendingWriteBytes() > 0 || !out.isEmpty());
        return reading.isTooSlow(unread, unread ? bytesWritten - flushed(out) : 0, now);
    }

    /**
     * Writes what the socket accepts. A selector reports room in the kernel's send buffer only when a third
     * of it is free, which may be more than a megabyte; a write finds the room that a slow client has made.
     */
    private boolean writesNow() {
        if (ctx.channel().unsafe() instanceof NioUnsafe socket) {
            socket.forceFlush();
            return true;
        }
        return false;
    }

    /** Resets the connection, so that the client cannot mistake this for the end of a response. */
    void giveUp() {
        try {
            ctx.channel().config().setOption(ChannelOption.SO_LINGER, 0);
        } finally {
            ctx.close();
        }
    }

    /** Returns how many bytes were flushed and not accepted by the socket yet. */
    private static long flushed(ChannelOutboundBuffer out) {
        var counter = new MessageProcessor() {
            private long bytes;

            @Override
            public boolean processMessage(Object message) {
                bytes += size(message);
                return true;
            }
        };
        try {
            out.forEachFlushedMessage(counter);
        } catch (Exception e) {
            throw new IllegalStateException(e); // the counter throws no checked exception
        }
        return counter.bytes;
    }
}
