package io.sluice.loadtest.experiments.driver;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Many WebSockets that are held open and receive messages, on one path of a port of this machine, with a
 * separate thread. Lost ones are not replaced: see {@link #held()}.
 */
public final class WebSockets implements AutoCloseable {

    /** Concurrent handshakes; more would only wait in the server's backlog. */
    private static final int AT_ONCE = 100;
    private static final int RECEIVED_AT_ONCE = 1_024;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final EventLoopGroup group;
    private final EventLoop loop;
    private final Bootstrap bootstrap;
    private final InetSocketAddress server;
    private final Set<Channel> open = new LinkedHashSet<>();
    private int begun;
    private int wanted;
    private CompletableFuture<Void> reached = new CompletableFuture<>();

    private WebSockets(int port, String path, MessageListener listener) {
        var transport = Transport.best();
        var handshake = Frames.handshake(path);
        group = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("sockets-" + port, true), transport.handler());
        loop = group.next();
        server = new InetSocketAddress("127.0.0.1", port);
        bootstrap = new Bootstrap()
                .group(loop)
                .channel(transport.channel())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(RECEIVED_AT_ONCE))
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new ClientSocket(handshake, new Held(listener)));
                    }
                });
        transport.sharePorts(bootstrap);
    }

    /** Receives every message of every WebSocket, on their event loop. */
    @FunctionalInterface
    public interface MessageListener {

        /** The next {@code length} of the bytes are a message, valid during this call. */
        void message(ByteBuf bytes, int length);
    }

    /** Creates the client for a path that starts with a slash, with no WebSockets open yet. */
    public static WebSockets to(int port, String path, MessageListener listener) {
        return new WebSockets(port, path, listener);
    }

    /**
     * Opens more WebSockets; blocks until all are open.
     *
     * @throws IllegalStateException if one is not accepted
     */
    public void open(int more) throws TimeoutException, InterruptedException {
        var all = new CompletableFuture<Void>();
        loop.execute(() -> {
            reached = all;
            wanted = open.size() + more;
            begun = open.size();
            for (int n = 0; n < AT_ONCE; n++) {
                next();
            }
        });
        try {
            all.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException _) {
            throw new TimeoutException("%s: %d WebSockets in %d s (expected: %d more)"
                    .formatted(server, held(), PATIENCE.toSeconds(), more));
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalStateException("%s: %s (expected: %d WebSockets more)"
                    .formatted(server, cause.getMessage(), more), e);
        }
    }

    private void next() {
        if (begun < wanted) {
            bootstrap.connect(server, SourceAddress.of(begun++)).addListener((ChannelFuture attempt) -> {
                if (!attempt.isSuccess()) {
                    reached.completeExceptionally(attempt.cause());
                }
            });
        } else if (open.size() == wanted) {
            reached.complete(null);
        }
    }

    /** The number of open WebSockets. */
    public int held() {
        return loop.submit(open::size).syncUninterruptibly().getNow();
    }

    /** Sends a short text on each open WebSocket. */
    public void send(String text) {
        var frame = Frames.text(text);
        loop.execute(() -> open.forEach(channel -> channel.writeAndFlush(
                Unpooled.wrappedBuffer(frame), channel.voidPromise())));
    }

    /** Closes all WebSockets; blocks until that is done. */
    @Override
    public void close() {
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
    }

    private final class Held implements SocketListener {

        private final MessageListener listener;
        @SuppressWarnings("NullAway.Init") // set by opened(), before messages
        private Channel channel;

        private Held(MessageListener listener) {
            this.listener = listener;
        }

        @Override
        public void opened(Channel opened) {
            channel = opened;
            open.add(opened);
            next();
        }

        @Override
        public void refused(Throwable cause) {
            reached.completeExceptionally(cause);
        }

        @Override
        public void message(ByteBuf bytes, int length) {
            listener.message(bytes, length);
        }

        @Override
        public void closed() {
            open.remove(channel);
        }
    }
}
