package io.sluice.loadtest.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FigureTest {

    @ParameterizedTest
    @CsvSource(delimiter = ':', value = {"0:0.00", "1.254:1.25", "9.994:9.99", "9.996:10.0", "99.94:99.9",
            "99.96:100", "1999.6:2,000", "NaN:–", "Infinity:–"})
    void hasThreeDigits(double value, String figure) {
        assertThat(Figure.of(value)).isEqualTo(figure);
    }

    @Test
    void tellsSharesAndRatios() {
        assertThat(Figure.percent(0.984)).isEqualTo("98.4 %");
        assertThat(Figure.ratio(1.049)).isEqualTo("1.05");
        assertThat(Figure.ratio(0.0 / 0.0)).isEqualTo("–");
        assertThat(Figure.of(12_345L)).isEqualTo("12,345");
    }

    @Test
    void doesNotRoundAGoalUp() {
        assertThat(Goal.atLeast(0.99, "share", 0.988))
                .hasToString("share: at least 0.99, measured 0.988: missed");
        assertThat(Goal.atMost(1.05, "p99 / p50", 1.05))
                .hasToString("p99 / p50: at most 1.05, measured 1.050: reached");
    }

    @Test
    void missesAGoalThatWasNotSeen() {
        assertThat(Goal.atMost(1.5, "ratio", Double.NaN).reached()).isFalse();
        assertThat(Goal.atLeast(1.5, "ratio", Double.NaN).reached()).isFalse();
    }
}
