package io.sluice.gateway.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection so that its last response arrives. It closes the sending half first, and the rest when
 * the client has closed its own half or after {@value #LINGER_SECONDS} s. To close both halves while the
 * client still sends would make the kernel send a reset, which may overtake the response (RFC 9112 section
 * 9.6). Input that arrives in the meantime is read at a bounded rate and dropped.
 */
public final class LingeringClose {
    private static final long LINGER_SECONDS = 2;
    /** Input that is dropped, in bytes, before a pause in which other connections are served. */
    private static final int DROPPED_AT_ONCE = 256 * 1024;
    private static final long PAUSE_MILLIS = 10;

    private LingeringClose() {
    }

    /**
     * Makes each close of the connection a reset, without close_notify, until all that was written before
     * {@link #close} has been sent: for a response whose body ends with the connection.
     */
    public static void resetUnlessComplete(Channel channel) {
        linger(channel, 0);
    }

    /** Returns whether a close of the connection resets it. */
    public static boolean isReset(Channel channel) {
        return channel.isOpen()
                && Integer.valueOf(0).equals(channel.config().getOption(ChannelOption.SO_LINGER));
    }

    private static void linger(Channel channel, int seconds) {
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, seconds);
        }
    }

    /** Resets the connection, so that the client cannot mistake a truncated response for a complete one. */
    public static void reset(ChannelHandlerContext ctx) {
        if (ctx.channel().isOpen()) {
            linger(ctx.channel(), 0);
            // Bypasses TLS, whose close_notify would declare the response complete (RFC 8446 section 6.1).
            ChannelHandlerContext tls = ctx.pipeline().context(SslHandler.class);
            (tls == null ? ctx : tls).close();
        }
    }

    /**
     * Closes the connection after all that has been written, and drops input from now on. A handler that
     * calls this within a read has to drop the rest of it.
     */
    public static void close(ChannelHandlerContext ctx) {
        ctx.pipeline().addFirst(new Dropper());
        if (ctx.channel() instanceof DuplexChannel half && half.isOutputShutdown()) {
            awaitEnd(half);
            return;
        }
        ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> {
            if (!written.isSuccess() || !(ctx.channel() instanceof DuplexChannel channel)) {
                ctx.close();
                return;
            }
            linger(channel, -1);
            if (ctx.pipeline().get(SslHandler.class) == null) {
                awaitEnd(channel);
            } else {
                // In a later task: TLS may be in the middle of a read and would not accept the rest of it.
                channel.eventLoop().execute(() -> closeTls(channel));
            }
        });
    }

    /** Sends close_notify (RFC 8446 section 6.1). */
    private static void closeTls(DuplexChannel channel) {
        ChannelHandlerContext tls = channel.pipeline().context(SslHandler.class);
        if (tls != null && channel.isActive()) {
            ((SslHandler) tls.handler()).closeOutbound().addListener(_ -> awaitEnd(channel));
        }
    }

    private static void awaitEnd(DuplexChannel channel) {
        channel.shutdownOutput();
        if (channel.isInputShutdown()) {
            channel.close();
            return;
        }
        channel.config().setAutoRead(true);
        Future<?> timer = channel.eventLoop().schedule(() -> channel.close(), LINGER_SECONDS,
                TimeUnit.SECONDS);
        channel.closeFuture().addListener(_ -> timer.cancel(false));
    }

    private static final class Dropper extends ChannelInboundHandlerAdapter {
        private int dropped;
        private boolean pausing;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            dropped += ((ByteBuf) message).readableBytes();
            ReferenceCountUtil.release(message);
            if (dropped >= DROPPED_AT_ONCE) {
                dropped = 0;
                pausing = true;
                ctx.channel().config().setAutoRead(false);
                ctx.executor().schedule(() -> continueReading(ctx), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            }
        }

        private void continueReading(ChannelHandlerContext ctx) {
            pausing = false;
            ctx.channel().config().setAutoRead(true);
            ctx.fireChannelReadComplete(); // that was withheld; perhaps no more input comes
        }

        /**
         * Withheld from decoders during a pause: one that got no input would request another read. Else it
         * flushes the response, also if another handler has stopped reading.
         */
        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            if (!pausing) {
                ctx.fireChannelReadComplete();
            }
        }
    }
}
