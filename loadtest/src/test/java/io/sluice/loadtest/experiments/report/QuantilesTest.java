package io.sluice.loadtest.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class QuantilesTest {

    @Test
    void readsNanosecondsAsMilliseconds() {
        var latencies = new Histogram(3);
        for (int millis = 1; millis <= 100; millis++) {
            latencies.recordValue(millis * 1_000_000L);
        }
        var quantiles = Quantiles.of(latencies);
        assertThat(quantiles.p50()).isCloseTo(50, within(0.1));
        assertThat(quantiles.p95()).isCloseTo(95, within(0.1));
        assertThat(quantiles.p99()).isCloseTo(99, within(0.1));
        assertThat(quantiles.max()).isCloseTo(100, within(0.1));
        assertThat(quantiles.spread()).isCloseTo(1.98, within(0.01));
    }

    @Test
    void isNotANumberOfNothing() {
        assertThat(Quantiles.of(new Histogram(3)))
                .isEqualTo(new Quantiles(Double.NaN, Double.NaN, Double.NaN, Double.NaN));
    }

    @Test
    void quotesTheMedianOfRoundsAndTheLargestMaximum() {
        var rounds = List.of(
                new Quantiles(1, 2, 3, 4), new Quantiles(5, 6, 7, 80), new Quantiles(2, 3, 4, 5));
        assertThat(Quantiles.ofRounds(rounds)).isEqualTo(new Quantiles(2, 3, 4, 80));
    }

    @Test
    void knowsTheMiddle() {
        assertThat(Median.of(3, 1, 2)).isEqualTo(2);
        assertThat(Median.of(4, 1, 2, 3)).isEqualTo(2.5);
        assertThat(Median.of(7)).isEqualTo(7);
        assertThat(Median.of()).isNaN();
    }
}
