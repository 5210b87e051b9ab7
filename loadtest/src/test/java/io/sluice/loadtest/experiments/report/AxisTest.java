package io.sluice.loadtest.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.loadtest.experiments.report.Axis.Tick;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AxisTest {

    @Test
    void beginsAtNoughtAndEndsAboveTheLargest() {
        assertThat(labels(Axis.linear("", 493))).containsExactly("0", "100", "200", "300", "400", "500");
        assertThat(labels(Axis.linear("", 0.6)))
                .containsExactly("0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6");
    }

    @Test
    void countsInOneTwoFive() {
        assertThat(labels(Axis.logarithmic("", 0.13, 12))).containsExactly("0.1", "0.2", "0.5", "1", "2", "5",
                "10", "20");
        assertThat(labels(Axis.logarithmic("", 1_990, 2_030))).containsExactly("1000", "2000", "5000");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, 0, -1})
    void canShowNothing(double value) {
        assertThat(Axis.linear("", value).ticks()).hasSizeGreaterThan(1);
        assertThat(Axis.logarithmic("", value, value).ticks()).hasSizeGreaterThan(1);
    }

    @Test
    void placesValuesBetweenItsEnds() {
        var axis = Axis.logarithmic("", List.of(new Tick(1, "1"), new Tick(100, "100")));
        assertThat(axis.position(1)).isZero();
        assertThat(axis.position(10)).isCloseTo(0.5, within(1e-9));
        assertThat(axis.position(1_000)).isEqualTo(1);
        assertThat(axis.position(0)).isZero();
    }

    @Test
    void givesEachNineAsMuchRoom() {
        var axis = Axis.percentiles();
        assertThat(axis.position(0)).isZero();
        assertThat(axis.position(90)).isCloseTo(1 / 3.0, within(1e-9));
        assertThat(axis.position(99)).isCloseTo(2 / 3.0, within(1e-9));
        assertThat(axis.position(99.9)).isEqualTo(1);
    }

    private static List<String> labels(Axis axis) {
        return axis.ticks().stream().map(Tick::label).toList();
    }
}
