package io.sluice.loadtest.experiments.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ArrivalsTest {

    @Test
    void endAfterAFew() {
        var arrivals = Arrivals.few(2, 1_000);
        assertThat(arrivals.gap()).isEqualTo(1_000_000);
        assertThat(arrivals.gap()).isEqualTo(1_000_000);
        assertThat(arrivals.gap()).isEqualTo(arrivals.gap()).isEqualTo(Arrivals.NEVER);
    }
}
