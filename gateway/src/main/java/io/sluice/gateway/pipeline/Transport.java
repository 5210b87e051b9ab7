package io.sluice.gateway.pipeline;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.limits.AcceptPause;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.gateway.limits.FrugalReads;
import java.net.InetSocketAddress;

/** The one place that knows which transport runs: NIO. */
public final class Transport {
    /** Explicit: Netty 4.2's default, the adaptive allocator, grows, and its meters are others. */
    public static final PooledByteBufAllocator ALLOCATOR = DirectMemory.ALLOCATOR;

    private Transport() {
    }

    /** Event loops whose threads are named {@code name-1-1} and on. */
    public static EventLoopGroup group(String name, int threads) {
        return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true),
                NioIoHandler.newFactory());
    }

    /** How many worker loops a configuration means. */
    public static int workerThreads(ServerConfig config) {
        return config.workerThreads() > 0 ? config.workerThreads()
                : Math.max(2, Runtime.getRuntime().availableProcessors());
    }

    /** Whether the kernel may send pieces of files: not where something is to be done with them. */
    static boolean sendsFiles(Channel channel) {
        return channel instanceof SocketChannel && channel.pipeline().get(SslHandler.class) == null;
    }

    /** Binds a listener that accepts whoever comes; see the other. */
    public static Channel bind(ServerConfig config, InetSocketAddress address, EventLoopGroup boss,
                               EventLoopGroup workers, ChannelHandler initializer) throws Exception {
        return bind(config, address, boss, workers, new ChannelInboundHandlerAdapter(), initializer);
    }

    /**
     * Binds a listener; blocks until that is done.
     *
     * @param gate lets connections pass that were accepted
     * @param initializer of what has passed
     * @throws Exception the {@link java.net.BindException} where the address is taken
     */
    public static Channel bind(ServerConfig config, InetSocketAddress address, EventLoopGroup boss,
                               EventLoopGroup workers, ChannelHandler gate, ChannelHandler initializer)
            throws Exception {
        ALLOCATOR.directBuffer().release(); // the first one starts Flight Recorder's part: half a second
        var bootstrap = new ServerBootstrap()
                .group(boss, workers)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.ALLOCATOR, ALLOCATOR)
                .option(ChannelOption.SO_BACKLOG, config.backlog())
                .option(ChannelOption.SO_REUSEADDR, true)
                .handler(listener(gate))
                .childOption(ChannelOption.ALLOCATOR, ALLOCATOR)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FrugalReads())
                .childOption(ChannelOption.TCP_NODELAY, config.tcpNoDelay())
                .childOption(ChannelOption.SO_KEEPALIVE, config.tcpKeepAlive())
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(
                        config.writeBufferLow().intBytes(), config.writeBufferHigh().intBytes()))
                .childHandler(initializer);
        if (config.sendBuffer().bytes() > 0) {
            bootstrap.childOption(ChannelOption.SO_SNDBUF, config.sendBuffer().intBytes());
        }
        if (config.receiveBuffer().bytes() > 0) {
            // On the listener: a window larger than 64 KiB is agreed on before a connection is accepted.
            bootstrap.option(ChannelOption.SO_RCVBUF, config.receiveBuffer().intBytes());
        }
        return bootstrap.bind(address).sync().channel();
    }

    private static ChannelHandler listener(ChannelHandler gate) {
        return new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new AcceptPause(), gate);
            }
        };
    }
}
