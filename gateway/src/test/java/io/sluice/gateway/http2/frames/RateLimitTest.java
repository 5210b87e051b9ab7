package io.sluice.gateway.http2.frames;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateLimitTest {
    private final MockTicker clock = Ticker.newMockTicker();
    private final RateLimit limit = new RateLimit(10, Duration.ofSeconds(1), clock);

    @Test
    void burstIsLimited() {
        assertThat(taken()).isEqualTo(10);
    }

    @Test
    void refillsOverTime() {
        taken();

        clock.advanceMillis(350);
        assertThat(taken()).isEqualTo(3);
        clock.advanceMillis(60_000);
        assertThat(taken()).isEqualTo(10);
    }

    /** Asks twenty times, and returns how often it was allowed. */
    private int taken() {
        int taken = 0;
        for (int i = 0; i < 20; i++) {
            taken += limit.take() ? 1 : 0;
        }
        return taken;
    }
}
