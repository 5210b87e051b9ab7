package io.sluice.handlers.upstream.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.type.EndpointUrl;
import io.sluice.config.upstream.HealthConfig;
import io.sluice.handlers.upstream.connect.TcpConnector;
import io.sluice.handlers.upstream.endpoint.EndpointAddresses;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Health checks that cannot send their request. */
class HealthCheckTest {
    private static final InetSocketAddress FIRST = new InetSocketAddress("127.0.0.1", 9);
    private static final InetSocketAddress SECOND = new InetSocketAddress("127.0.0.2", 9);

    private final EventLoop loop = new DefaultEventLoop();
    private final EndpointAddresses addresses = new EndpointAddresses();
    private final CountDownLatch attempts = new CountDownLatch(4);
    private final List<SocketAddress> tried = new CopyOnWriteArrayList<>();
    /** The addresses that were tried until the listener was told of a failure, on the event loop. */
    private final CompletableFuture<List<SocketAddress>> failed = new CompletableFuture<>();

    @AfterEach
    void stop() {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    private static HealthConfig config(Duration interval, int downAfter) {
        return new HealthConfig("/", interval, Duration.ofSeconds(30), downAfter, 1);
    }

    private void start(HealthConfig config, EventLoop on, Supplier<Channel> factory) {
        start(config, on, factory, () -> { });
    }

    private void start(HealthConfig config, EventLoop on, Supplier<Channel> factory, Runnable observer) {
        Bootstrap client = new Bootstrap().disableResolver().channelFactory(() -> {
            attempts.countDown();
            return factory.get();
        });
        addresses.set(List.of(FIRST, SECOND));
        var endpoint = new TcpConnector.Target(EndpointUrl.parse("http://a"), addresses,
                _ -> observer.run(),
                (_, _) -> null, false);
        HealthCheck.start(config, on, client, new HealthCheck.Target(endpoint, false),
                new HealthCheck.Listener() {
                    @Override
                    public void passed() {
                        failed.completeExceptionally(new AssertionError());
                    }

                    @Override
                    public void failed() {
                        assertThat(on.inEventLoop()).isTrue();
                        failed.complete(List.copyOf(tried));
                    }
                });
    }

    private void startWithoutSocket(String why) {
        start(config(Duration.ofMillis(1), 1), loop, () -> {
            tried.add(addresses.preferred());
            throw new ChannelException(new IOException(why));
        });
    }

    @Test
    void failWhereNoSocketOfThatKindIsSupported() throws Exception {
        startWithoutSocket("Address family not supported by protocol");

        assertThat(failed.get(30, TimeUnit.SECONDS)).containsExactly(FIRST);
        assertThat(attempts.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(tried).contains(SECOND);
    }

    private void startUnconnectable(HealthConfig config, EventLoop on, String why) {
        start(config, on, () -> {
            var channel = new LocalChannel();
            channel.pipeline().addLast(new ChannelOutboundHandlerAdapter() {
                @Override
                public void connect(ChannelHandlerContext ctx, SocketAddress remote, SocketAddress local,
                                    ChannelPromise promise) {
                    tried.add(remote);
                    promise.setFailure(new ConnectException(why));
                }
            });
            return channel;
        });
    }

    @Test
    void failIfEnoughConnectionsInARowAreRefused() throws Exception {
        startUnconnectable(config(Duration.ofMillis(1), 3), loop, "Connection refused");

        assertThat(failed.get(30, TimeUnit.SECONDS)).containsExactly(FIRST, SECOND, FIRST);
    }

    @Test
    void neitherPassNorFailWithoutAPort() throws Exception {
        startUnconnectable(config(Duration.ofMillis(1), 1), loop, "Cannot assign requested address");

        assertThat(attempts.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(failed).isNotDone();
        assertThat(tried).contains(FIRST, SECOND);
    }

    @Test
    void neitherPassNorFailWithoutAFileDescriptor() throws Exception {
        startWithoutSocket("Too many open files");

        assertThat(attempts.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(failed).isNotDone();
    }

    private static <T> T thrown() {
        throw new StackOverflowError("thrown by a test");
    }

    private void assertOthersFollow() throws InterruptedException {
        assertThat(attempts.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(failed).isNotDone();
    }

    @Test
    void neitherPassNorFailIfTheyThrowBeforeTheyConnect() throws Exception {
        start(config(Duration.ofMillis(1), 1), loop, LocalChannel::new, HealthCheckTest::thrown);

        assertOthersFollow();
    }

    @Test
    void neitherPassNorFailIfTheyThrowWhenTheyAreConnected() throws Exception {
        var made = new CopyOnWriteArrayList<Channel>();
        start(config(Duration.ofMillis(1), 1), loop, () -> {
            var channel = new LocalChannel() {
                @Override
                public ChannelFuture closeFuture() {
                    return thrown();
                }
            };
            channel.pipeline().addLast(new ChannelOutboundHandlerAdapter() {
                @Override
                public void connect(ChannelHandlerContext ctx, SocketAddress remote, SocketAddress local,
                                    ChannelPromise promise) {
                    promise.setSuccess();
                    ctx.fireChannelActive();
                }
            });
            made.add(channel);
            return channel;
        });

        assertOthersFollow();
        await().until(() -> !made.getFirst().isOpen());
    }

    /** Gateways that start together must not check together for ever. */
    @Test
    void beginAtOnceAndThenAtAnIntervalThatVaries() {
        MockTicker clock = Ticker.newMockTicker();
        var manual = new ManualIoEventLoop(null, Thread.currentThread(), LocalIoHandler.newFactory(), clock);
        startUnconnectable(config(Duration.ofSeconds(1), 1), manual, "Connection refused");
        manual.runNow();
        assertThat(tried).hasSize(1);

        List<Integer> gaps = new ArrayList<>();
        int last = 0;
        for (int millis = 10; gaps.size() < 100; millis += 10) {
            clock.advance(10, TimeUnit.MILLISECONDS);
            manual.runNow();
            if (tried.size() > gaps.size() + 1) {
                gaps.add(millis - last);
                last = millis;
            }
        }
        assertThat(gaps).allMatch(gap -> gap >= 890 && gap <= 1110);
        assertThat(gaps).anyMatch(gap -> gap < 970).anyMatch(gap -> gap > 1030);
    }
}
