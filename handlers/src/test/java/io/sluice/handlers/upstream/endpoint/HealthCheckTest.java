package io.sluice.handlers.upstream.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.local.LocalChannel;
import io.sluice.config.upstream.HealthConfig;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Health checks of a process that cannot open a socket, or a connection. */
class HealthCheckTest {
    private static final HealthConfig CONFIG = new HealthConfig("/", Duration.ofMillis(1),
            Duration.ofSeconds(30), 1, 1);

    private static final InetSocketAddress TARGET = new InetSocketAddress("127.0.0.1", 9);

    private final EventLoop loop = new DefaultEventLoop();
    private final CountDownLatch attempts = new CountDownLatch(4);
    private final AtomicReference<InetSocketAddress> unreachable = new AtomicReference<>();
    /** Completed at the first failed check: true if the listener was told so on the event loop. */
    private final CompletableFuture<Boolean> failed = new CompletableFuture<>();

    @AfterEach
    void stop() {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    private void start(Throwable cause) {
        start(() -> {
            throw new ChannelException(cause);
        });
    }

    private void start(Supplier<Channel> factory) {
        Bootstrap client = new Bootstrap().disableResolver().channelFactory(() -> {
            attempts.countDown();
            return factory.get();
        });
        var target = new HealthCheck.Target(() -> TARGET, "a", true, false);
        HealthCheck.start(CONFIG, loop, client, target, new HealthCheck.Listener() {
            @Override
            public void passed() {
                failed.completeExceptionally(new AssertionError());
            }

            @Override
            public void failed() {
                failed.complete(loop.inEventLoop() && unreachable.get() == TARGET);
            }

            @Override
            public void unreachable(InetSocketAddress address) {
                unreachable.set(address);
            }
        });
    }

    @Test
    void failWhereNoSocketOfThatKindIsSupported() throws Exception {
        start(new IOException("Address family not supported by protocol"));

        assertThat(failed.get(30, TimeUnit.SECONDS)).isTrue();
    }

    private void startUnconnectable(String why) {
        start(() -> {
            var channel = new LocalChannel();
            channel.pipeline().addLast(new ChannelOutboundHandlerAdapter() {
                @Override
                public void connect(ChannelHandlerContext ctx, SocketAddress remote, SocketAddress local,
                                    ChannelPromise promise) {
                    promise.setFailure(new ConnectException(why));
                }
            });
            return channel;
        });
    }

    @Test
    void failIfTheConnectionIsRefused() throws Exception {
        startUnconnectable("Connection refused");

        assertThat(failed.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void neitherPassNorFailWithoutAPort() throws Exception {
        startUnconnectable("Cannot assign requested address");

        assertThat(attempts.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(failed).isNotDone();
        assertThat(unreachable).hasValue(TARGET);
    }

    @Test
    void neitherPassNorFailWithoutAFileDescriptor() throws Exception {
        start(new IOException("Too many open files"));

        assertThat(attempts.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(failed).isNotDone();
    }
}
