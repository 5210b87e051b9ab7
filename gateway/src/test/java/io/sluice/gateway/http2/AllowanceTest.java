package io.sluice.gateway.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AllowanceTest {
    private final Allowance allowance = new Allowance(10, Duration.ofSeconds(1));
    private final long now = System.nanoTime();

    @Test
    void givesSoManyAtOnceAndNoMore() {
        assertThat(taken(now, 20)).isEqualTo(10);
    }

    @Test
    void givesThemBackByAndBy() {
        taken(now, 10);

        assertThat(taken(now + Duration.ofMillis(350).toNanos(), 20)).isEqualTo(3);
        assertThat(taken(now + Duration.ofSeconds(60).toNanos(), 20)).isEqualTo(10);
    }

    private int taken(long at, int times) {
        int taken = 0;
        for (int i = 0; i < times; i++) {
            taken += allowance.take(at) ? 1 : 0;
        }
        return taken;
    }
}
