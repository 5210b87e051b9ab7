package io.sluice.loadtest.experiments.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.loadtest.experiments.report.Series.Point;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlopeTest {

    private final SplittableRandom chance = new SplittableRandom(1);

    @Test
    void isZeroOfWhatStays() {
        assertThat(of(_ -> 7)).isEqualTo(new Slope(0, 0, 0)).matches(Slope::zeroWithinTheNoise);
        assertThat(of(_ -> chance.nextDouble())).matches(Slope::zeroWithinTheNoise);
        assertThat(of(n -> n == 10 ? 1_000 : chance.nextDouble())).matches(Slope::zeroWithinTheNoise);
    }

    @Test
    void findsWhatGrowsWithinTheNoise() {
        var slope = of(n -> 0.05 * n + chance.nextDouble());
        assertThat(slope.slope()).isCloseTo(0.05, within(0.01));
        assertThat(slope.low()).isPositive().isLessThan(slope.slope());
        assertThat(slope.high()).isGreaterThan(slope.slope());
        assertThat(slope.zeroWithinTheNoise()).isFalse();
        assertThat(of(n -> -n)).isEqualTo(new Slope(-1, -1, -1));
    }

    @Test
    void isNoneOfASample() {
        assertThat(Slope.of(List.of(List.of(new Point(0, 1)), List.of(new Point(1, 2)))).slope()).isNaN();
    }

    @Test
    void comparesSamplesOfTheSameSeason() {
        var low = List.of(new Point(0, 1), new Point(2, 2), new Point(4, 3));
        var high = List.of(new Point(1, 100), new Point(3, 101), new Point(5, 102));
        assertThat(Slope.of(List.of(low, high))).isEqualTo(new Slope(0.5, 0.5, 0.5));
    }

    private static Slope of(IntToDoubleFunction value) {
        return Slope.of(List.of(IntStream.range(0, 60)
                .mapToObj(n -> new Point(n, value.applyAsDouble(n))).toList()));
    }
}
