package io.sluice.loadtest.experiments.driver;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that sends the beginning of an answer, if any, and ends each connection after a while. */
final class ImpatientServer implements AutoCloseable {

    private final Duration patience;
    private final boolean reset;
    private final int answer;
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final AtomicInteger unread = new AtomicInteger();
    private volatile int enough = Integer.MAX_VALUE;
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel channel;

    /**
     * Starts the server.
     *
     * @param patience the time after which a connection ends
     * @param reset whether connections end with a reset
     * @param answer the length of the answer, in bytes
     */
    ImpatientServer(Duration patience, boolean reset, int answer) {
        this.patience = patience;
        this.reset = reset;
        this.answer = answer;
        channel = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Waiting());
                    }
                })
                .bind("127.0.0.1", 0).syncUninterruptibly().channel();
    }

    /** Has a connection end when so many bytes have been received. */
    ImpatientServer endingAfter(int bytes) {
        enough = bytes;
        return this;
    }

    int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** Returns the bytes that all connections received. To be called when the connections have ended. */
    byte[] received() {
        return received.toByteArray();
    }

    /** Returns the number of connections that ended before their client had read the answer. */
    int unread() {
        return unread.get();
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private final class Waiting extends SimpleChannelInboundHandler<ByteBuf> {

        @Override
        public void channelActive(ChannelHandlerContext context) {
            var written = context.writeAndFlush(Unpooled.wrappedBuffer(new byte[answer]));
            context.executor().schedule(() -> {
                if (!written.isDone()) {
                    unread.incrementAndGet();
                }
                if (reset) {
                    context.channel().config().setOption(ChannelOption.SO_LINGER, 0);
                }
                context.close();
            }, patience.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
            received.writeBytes(ByteBufUtil.getBytes(bytes));
            if (received.size() >= enough) {
                context.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
