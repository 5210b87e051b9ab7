package io.sluice.gateway.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection so that its last answer arrives: the sending half first, then, when the client
 * has closed its own or after a while, the rest. Closing both while the client still sends makes the
 * kernel answer with a reset, which may overtake the answer (RFC 9112 section 9.6). What a client goes on
 * sending meanwhile is read at a bounded rate and dropped.
 */
public final class LingeringClose {
    private static final long LINGER_SECONDS = 2;
    /** Bytes that are dropped before others have their turn, and for how long. */
    private static final int DROPPED_AT_ONCE = 256 * 1024;
    private static final long PAUSE_MILLIS = 10;

    private LingeringClose() {
    }

    /** Closes at once, so that the client cannot take what it got for all there is. */
    public static void reset(ChannelHandlerContext ctx) {
        if (ctx.channel().isOpen()) {
            ctx.channel().config().setOption(ChannelOption.SO_LINGER, 0);
            // Past TLS, which would say that nothing is missing (RFC 8446 section 6.1).
            ChannelHandlerContext tls = ctx.pipeline().context(SslHandler.class);
            (tls == null ? ctx : tls).close();
        }
    }

    /** Closes after all that has been written; what still arrives is read, and up to its owner to drop. */
    public static void close(ChannelHandlerContext ctx) {
        if (ctx.channel() instanceof DuplexChannel half && half.isOutputShutdown()) {
            half.pipeline().addFirst(new Dropper());
            linger(half);
            return;
        }
        ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> {
            if (!written.isSuccess() || !(ctx.channel() instanceof DuplexChannel channel)) {
                ctx.close();
            } else if (ctx.pipeline().get(SslHandler.class) == null) {
                channel.pipeline().addFirst(new Dropper());
                linger(channel);
            } else {
                // Later: TLS may be in the middle of a read, whose rest it would not take any more.
                channel.eventLoop().execute(() -> closeTls(channel));
            }
        });
    }

    /** Tells the client that nothing is missing (RFC 8446 section 6.1), and reads on past TLS. */
    private static void closeTls(DuplexChannel channel) {
        ChannelHandlerContext tls = channel.pipeline().context(SslHandler.class);
        if (tls != null && channel.isActive()) {
            channel.pipeline().addBefore(tls.name(), null, new Dropper());
            ((SslHandler) tls.handler()).closeOutbound().addListener(_ -> linger(channel));
        }
    }

    private static void linger(DuplexChannel channel) {
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

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            dropped += ((ByteBuf) message).readableBytes();
            ReferenceCountUtil.release(message);
            if (dropped >= DROPPED_AT_ONCE) {
                dropped = 0;
                ChannelConfig config = ctx.channel().config();
                config.setAutoRead(false);
                ctx.executor().schedule(() -> config.setAutoRead(true), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            }
        }

        /** Kept from decoders, which ask for more when they have got nothing. */
        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            if (ctx.channel().config().isAutoRead()) {
                ctx.fireChannelReadComplete();
            }
        }
    }
}
