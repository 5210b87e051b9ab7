package io.sluice.gateway.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.lifecycle.Health.State;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HealthTest {
    private final Health health = new Health(Map::of);

    @Test
    void isReadyWhileItServes() {
        assertThat(health.ready()).isFalse();
        health.enter(State.SERVING);
        assertThat(health.ready()).isTrue();
        health.enter(State.DRAINING);
        assertThat(health.ready()).isFalse();
    }

    /** A warm-up may end after the drain has begun. */
    @Test
    void isNeverReadyOnceItStops() {
        health.enter(State.DRAINING);
        health.enter(State.SERVING);

        assertThat(health.state()).isEqualTo(State.DRAINING);
        assertThat(health.ready()).isFalse();
    }
}
