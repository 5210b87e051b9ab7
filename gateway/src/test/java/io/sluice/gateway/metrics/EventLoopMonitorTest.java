package io.sluice.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.EventLoopGroup;
import io.sluice.config.TransportKind;
import io.sluice.gateway.net.Transport;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EventLoopMonitorTest {

    @Test
    void keepsTheMetersClockGoingAndMetersTheLag() {
        EventLoopGroup group = Transport.of(TransportKind.NIO).group("watched", 2);
        try (var meters = new Meters();
                var _ = EventLoopMonitor.start(group, Duration.ofMinutes(1), meters)) {
            var clock = meters.clock();
            for (int tick = 0; tick < 2; tick++) {
                long before = clock.getAsLong();
                await().until(() -> clock.getAsLong() > before);
            }
            assertThat(System.currentTimeMillis() - clock.getAsLong()).isBetween(0L, 30_000L);
            await().until(() -> meters.lag("0").count() > 0 && meters.lag("1").count() > 0);
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }
}
