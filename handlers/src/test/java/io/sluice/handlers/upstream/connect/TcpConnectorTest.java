package io.sluice.handlers.upstream.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.sluice.config.type.EndpointUrl;
import io.sluice.handlers.upstream.endpoint.EndpointAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The TCP connector in a process that has no file descriptor left. */
class TcpConnectorTest {
    private static final IOException SHORTAGE = new IOException("Too many open files");

    private static final InetSocketAddress FIRST = new InetSocketAddress("127.0.0.1", 9);

    private final EndpointAddresses addresses = new EndpointAddresses();
    private final EventLoop loop = new DefaultEventLoop();
    private final CompletableFuture<Throwable> told = new CompletableFuture<>();
    private boolean toldOnLoop;

    @AfterEach
    void stop() {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    private Opening connect() {
        Bootstrap client = new Bootstrap().disableResolver().channelFactory(() -> {
            throw new ChannelException(SHORTAGE);
        });
        addresses.set(List.of(FIRST, new InetSocketAddress("127.0.0.2", 9)));
        var target = new TcpConnector.Target(EndpointUrl.parse("http://127.0.0.1:9"), addresses, _ -> { },
                (_, _) -> null, false);
        return new TcpConnector(target, loop, client, Duration.ofSeconds(1)).connect(null,
                new Connector.User() {
                    @Override
                    public void connected(Channel channel, boolean http2) {
                        told.completeExceptionally(new AssertionError());
                    }

                    @Override
                    public void failed(Throwable cause) {
                        toldOnLoop = loop.inEventLoop();
                        told.complete(cause);
                    }
                });
    }

    @Test
    void shortageIsReportedOnTheEventLoop() throws Exception {
        loop.submit(this::connect).get();

        assertThat(told.get(30, TimeUnit.SECONDS)).hasCause(SHORTAGE);
        assertThat(toldOnLoop).isTrue();
        assertThat(addresses.preferred()).as("an address that was not tried").isEqualTo(FIRST);
    }

    @Test
    void shortageIsNotReportedAfterACancel() throws Exception {
        loop.submit(() -> connect().cancel()).get();
        GlobalEventExecutor.INSTANCE.submit(() -> { }).get();
        loop.submit(() -> { }).get(); // runs after all tasks that were queued before

        assertThat(told).isNotDone();
    }
}
