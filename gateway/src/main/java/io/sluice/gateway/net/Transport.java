package io.sluice.gateway.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ReflectiveChannelFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.kqueue.KQueue;
import io.netty.channel.kqueue.KQueueDatagramChannel;
import io.netty.channel.kqueue.KQueueIoHandler;
import io.netty.channel.kqueue.KQueueServerSocketChannel;
import io.netty.channel.kqueue.KQueueSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.UnixChannelOption;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.sluice.config.ServerConfig;
import io.sluice.config.TransportKind;
import io.sluice.gateway.limits.AcceptPause;
import io.sluice.gateway.limits.ConnectionLimits;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.gateway.limits.FrugalReads;
import io.sluice.gateway.loop.MeteredLoops;
import io.sluice.handlers.upstream.names.ChannelFactories;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Selects the Netty transport, creates its event loops and binds listeners. */
public final class Transport {
    /** Set explicitly: the adaptive allocator, Netty 4.2's default, grows, and has other meters. */
    public static final PooledByteBufAllocator ALLOCATOR = DirectMemory.ALLOCATOR;

    private static final Logger log = LoggerFactory.getLogger(Transport.class);
    /**
     * In order of preference. io_uring must be configured explicitly, as many container runtimes forbid it.
     */
    private static final List<TransportKind> BEST =
            List.of(TransportKind.EPOLL, TransportKind.KQUEUE, TransportKind.NIO);
    /** Indicates whether the kernel spreads connections over the sockets that listen on the same port. */
    private static final boolean SPREADS = System.getProperty("os.name").equals("Linux");

    /**
     * Unsent bytes of a proxied body, in either direction. With a read, which is added to it, the gateway
     * holds 64 KiB at most: the socket buffers of the kernel hold enough to keep a fast receiver busy.
     */
    public static final WriteBufferWaterMark RELAYED =
            new WriteBufferWaterMark(8 * 1024, 16 * 1024);

    private final IoHandlerFactory io;
    private final Class<? extends ServerChannel> channel;
    private final Class<? extends SocketChannel> client;
    private final Class<? extends DatagramChannel> datagrams;
    private final ChannelOption<Boolean> reusePort;
    private final ByteBufAllocator allocator;
    /** Indicates whether a write that has been flushed may not have reached the kernel yet. */
    private final boolean sendsLater;

    private Transport(IoHandlerFactory io, Class<? extends ServerChannel> channel,
                      Class<? extends SocketChannel> client, Class<? extends DatagramChannel> datagrams,
                      ChannelOption<Boolean> reusePort,
                      ByteBufAllocator allocator, boolean sendsLater) {
        this.io = io;
        this.channel = channel;
        this.client = client;
        this.datagrams = datagrams;
        this.reusePort = reusePort;
        this.allocator = allocator;
        this.sendsLater = sendsLater;
    }

    /**
     * The transport of a kind.
     *
     * @throws UnsupportedOperationException if it cannot be loaded on this machine, with the reason
     */
    public static Transport of(TransportKind kind) {
        Throwable obstacle = obstacle(kind);
        if (obstacle != null) {
            throw new UnsupportedOperationException(reason(obstacle), obstacle);
        }
        return switch (kind) {
            case AUTO -> best();
            case NIO -> new Transport(NioIoHandler.newFactory(), NioServerSocketChannel.class,
                    NioSocketChannel.class, NioDatagramChannel.class,
                    NioChannelOption.of(StandardSocketOptions.SO_REUSEPORT), ALLOCATOR, false);
            case EPOLL -> outsideJava(EpollIoHandler.newFactory(), EpollServerSocketChannel.class,
                    EpollSocketChannel.class, EpollDatagramChannel.class, false);
            case IO_URING ->
                    outsideJava(IoUringIoHandler.newFactory(), IoUringServerSocketChannel.class,
                    IoUringSocketChannel.class, IoUringDatagramChannel.class, true);
            case KQUEUE -> outsideJava(KQueueIoHandler.newFactory(), KQueueServerSocketChannel.class,
                    KQueueSocketChannel.class, KQueueDatagramChannel.class, false);
        };
    }

    private static Transport outsideJava(IoHandlerFactory io, Class<? extends ServerChannel> channel,
                                         Class<? extends SocketChannel> client,
                                         Class<? extends DatagramChannel> datagrams, boolean sendsLater) {
        return new Transport(io, channel, client, datagrams, UnixChannelOption.SO_REUSEPORT,
                DirectMemory.FOR_NATIVE_CODE, sendsLater);
    }

    private static Transport best() {
        TransportKind best = BEST.stream().filter(kind -> obstacle(kind) == null).findFirst().orElseThrow();
        log.info("transport: {}", best);
        return of(best);
    }

    private static @Nullable Throwable obstacle(TransportKind kind) {
        return switch (kind) {
            case AUTO, NIO -> null;
            case EPOLL -> Epoll.unavailabilityCause();
            case IO_URING -> IoUring.unavailabilityCause();
            case KQUEUE -> KQueue.unavailabilityCause();
        };
    }

    /** Returns the first line of the root cause's message, or its class name if it has none. */
    private static String reason(Throwable obstacle) {
        Throwable cause = obstacle;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        return message == null ? cause.toString() : message.lines().findFirst().orElse("");
    }

    /**
     * Creates event loops that meter their tasks.
     *
     * @param name the threads are named {@code name-1-1} and on
     */
    public EventLoopGroup group(String name, int threads) {
        return new MeteredLoops(threads, new DefaultThreadFactory(name, true), io);
    }

    /** Returns the number of worker loops that a configuration results in. */
    public static int workerThreads(ServerConfig config) {
        return config.workerThreads() > 0 ? config.workerThreads()
                : Math.max(2, Runtime.getRuntime().availableProcessors());
    }

    /**
     * Returns whether the kernel can send parts of files over this channel: not if they have to be encrypted
     * or framed. With io_uring, Netty does not record in the region what has been transferred, and reads a
     * wrong part beyond 2 GiB.
     */
    public static boolean sendsFiles(Channel channel) {
        return channel instanceof SocketChannel && !(channel instanceof IoUringSocketChannel)
                && channel.pipeline().get(SslHandler.class) == null;
    }

    /**
     * Opens a port; blocks until that is done.
     *
     * @param initializer of the connections that are admitted
     * @throws Exception the {@link java.net.BindException} if the address is in use
     */
    public OpenPort bind(ServerConfig config, InetSocketAddress address, Acceptors acceptors,
                         ChannelHandler initializer) throws Exception {
        allocator.directBuffer().release(); // the first one loads Flight Recorder: half a second
        var bootstrap = new ServerBootstrap()
                .group(acceptors.boss(), acceptors.workers())
                .channel(channel)
                .option(ChannelOption.ALLOCATOR, allocator)
                .option(ChannelOption.SO_BACKLOG, config.backlog())
                .option(ChannelOption.SO_REUSEADDR, true)
                .handler(added(AcceptPause::new, acceptors.gate()))
                .childOption(ChannelOption.ALLOCATOR, allocator)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FrugalReads())
                .childOption(ChannelOption.TCP_NODELAY, config.tcpNoDelay())
                .childOption(ChannelOption.SO_KEEPALIVE, config.tcpKeepAlive())
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(
                        config.writeBufferLow().intBytes(), config.writeBufferHigh().intBytes()))
                .childHandler(initializer);
        if (sendsLater) {
            bootstrap.childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                    .childHandler(added(HalfCloseHandler::new, initializer));
        }
        if (config.sendBuffer().bytes() > 0) {
            bootstrap.childOption(ChannelOption.SO_SNDBUF, config.sendBuffer().intBytes());
        }
        if (config.receiveBuffer().bytes() > 0) {
            // Set on the listener: window scaling beyond 64 KiB is negotiated before a connection is
            // accepted.
            bootstrap.option(ChannelOption.SO_RCVBUF, config.receiveBuffer().intBytes());
        }
        if (!acceptors.shared() || !SPREADS) {
            return OpenPort.open(bootstrap, address, 1);
        }
        return OpenPort.open(bootstrap.option(reusePort, true), address, config.bossThreads());
    }

    /**
     * Opens connections to upstreams, on an event loop of this transport that the caller sets.
     *
     * @param limits counts them
     */
    public Bootstrap client(ServerConfig config, ConnectionLimits limits) {
        return new Bootstrap()
                .channelFactory(limits.toUpstreams(new ReflectiveChannelFactory<>(client)))
                .option(ChannelOption.ALLOCATOR, allocator)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FrugalReads())
                .option(ChannelOption.TCP_NODELAY, config.tcpNoDelay())
                .option(ChannelOption.SO_KEEPALIVE, config.tcpKeepAlive())
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, RELAYED);
    }

    /** Returns the factories of channels that open connections or send datagrams. */
    public ChannelFactories channels() {
        return new ChannelFactories(new ReflectiveChannelFactory<>(datagrams),
                new ReflectiveChannelFactory<>(client));
    }

    /**
     * Checks whether {@link #bind} can open a port. Binds the address for a moment, without accepting
     * connections. Blocks.
     *
     * @throws IOException if the address cannot be bound
     */
    public static void check(InetSocketAddress address, Acceptors acceptors) throws IOException {
        try (var socket = new Socket()) {
            socket.setReuseAddress(true);
            if (acceptors.shared() && SPREADS) {
                socket.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            }
            socket.bind(address);
        }
    }

    private static ChannelHandler added(Supplier<ChannelHandler> first, ChannelHandler second) {
        return new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(first.get(), second);
            }
        };
    }
}
