package io.sluice.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.ChannelException;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.sluice.handlers.upstream.names.ChannelFactories;
import io.sluice.handlers.upstream.names.NameWatch;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The look-ups of a name at a DNS server of the test, by a clock that only the test advances. */
class NameWatchIT {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    /** One for IPv4 and one for IPv6. */
    private static final int QUERIES = 2;

    private final MockTicker clock = Ticker.newMockTicker();
    private final ManualIoEventLoop loop =
            new ManualIoEventLoop(null, Thread.currentThread(), NioIoHandler.newFactory(), clock);
    private final AtomicInteger lookUps = new AtomicInteger();

    private void awaitLookUps(int all) {
        await().pollInSameThread().atMost(LIMIT).until(() -> {
            loop.runNow();
            return lookUps.get() == all;
        });
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "12, 12", "30, 30", "3600, 30"})
    void comeWhenTheRecordsExpireWithinLimits(int timeToLive, int seconds) throws Exception {
        try (var dns = new DnsServer("127.0.0.2")) {
            dns.timeToLive(timeToLive);
            var source = new NameWatch.Source(loop, new ChannelFactories(NioDatagramChannel::new,
                    NioSocketChannel::new),
                    List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), dns.port())));
            var watch = new NameWatch("shop.test", source, List.of(), _ -> lookUps.incrementAndGet());
            awaitLookUps(1);
            assertThat(dns.queries()).isEqualTo(QUERIES);

            clock.advance(seconds * 1000L - 1, TimeUnit.MILLISECONDS);
            await().pollInSameThread().during(Duration.ofMillis(200)).atMost(LIMIT).until(() -> {
                loop.runNow(); // the absence of a query takes time to show
                return dns.queries() == QUERIES;
            });
            clock.advance(1, TimeUnit.MILLISECONDS);
            awaitLookUps(2);
            assertThat(dns.queries()).isEqualTo(2 * QUERIES);

            watch.close();
            loop.runNow();
        }
    }

    @Test
    void succeedAfterAShortageOfFileDescriptorsAtTheFirstOne() throws Exception {
        try (var dns = new DnsServer("127.0.0.2")) {
            var scarce = new AtomicBoolean(true);
            var refused = new AtomicInteger();
            var source = new NameWatch.Source(loop, new ChannelFactories(() -> {
                if (scarce.get()) {
                    refused.incrementAndGet();
                    throw new ChannelException("Too many open files");
                }
                return new NioDatagramChannel();
            }, NioSocketChannel::new),
                    List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), dns.port())));
            var watch = new NameWatch("shop.test", source, List.of(), _ -> lookUps.incrementAndGet());
            loop.runNow();
            assertThat(refused).hasPositiveValue();

            scarce.set(false);
            await().pollInSameThread().atMost(LIMIT).until(() -> {
                clock.advance(1, TimeUnit.SECONDS);
                loop.runNow();
                return lookUps.get() > 0;
            });
            watch.close();
            loop.runNow();
        }
    }
}
