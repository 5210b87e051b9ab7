package io.sluice.offload.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackOffTest {

    @Test
    void doublesUpToALimitAndBeginsAnewAfterASuccess() {
        var backOff = new BackOff();
        for (int longest = 100; longest < 10_000; longest *= 2) {
            assertThat(backOff.nextMillis()).isBetween((long) longest / 2, (long) longest);
        }
        assertThat(backOff.nextMillis()).isBetween(5000L, 10_000L);
        assertThat(backOff.nextMillis()).isBetween(5000L, 10_000L);
        backOff.reset();
        assertThat(backOff.nextMillis()).isBetween(50L, 100L);
    }
}
