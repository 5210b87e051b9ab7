package io.sluice.loadtest.experiments.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/** The listening socket of a plain Netty server, with the options and the allocator of the gateway. */
final class BarePort {

    private static final int BACKLOG = 4_096;

    private BarePort() {}

    /**
     * Serves a port of 127.0.0.1, or a free one for 0, whose number it prints as the gateway does; blocks.
     */
    static void serve(int port, int loops, Consumer<ChannelPipeline> pipeline) throws InterruptedException {
        var channel = new ServerBootstrap()
                .group(new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()),
                        new MultiThreadIoEventLoopGroup(loops, NioIoHandler.newFactory()))
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel connection) {
                        pipeline.accept(connection.pipeline());
                    }
                })
                .bind("127.0.0.1", port).sync().channel();
        System.out.println("bare Netty serves http://localhost:"
                + ((InetSocketAddress) channel.localAddress()).getPort() + "/");
        channel.closeFuture().sync();
    }
}
