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
        assertThat(Slope.of(List.of(new Point(0, 1))).slope()).isNaN();
        assertThat(Slope.of(List.of(new Point(0, 1), new Point(2, 2)))).isEqualTo(new Slope(0.5, 0.5, 0.5));
    }

    private static Slope of(IntToDoubleFunction value) {
        return Slope.of(IntStream.range(0, 60).mapToObj(n -> new Point(n, value.applyAsDouble(n))).toList());
    }
}
