package io.sluice.handlers.upstream.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelException;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.sluice.config.upstream.HealthConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Health checks in a process that cannot open a socket. */
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
        Bootstrap client = new Bootstrap().disableResolver().channelFactory(() -> {
            attempts.countDown();
            throw new ChannelException(cause);
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

    @Test
    void neitherPassNorFailWithoutAFileDescriptor() throws Exception {
        start(new IOException("Too many open files"));

        assertThat(attempts.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(failed).isNotDone();
    }
}
