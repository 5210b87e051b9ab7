package io.sluice.loadtest.simulations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LineTest {

    private final Line line = new Line();

    @Test
    void risesAsItsValuesDo() {
        for (var n = 0; n < 10; n++) {
            line.add(n / 10.0, 7 + 3 * n / 10.0);
        }
        assertThat(line.slope()).isCloseTo(3, within(1e-9));
        assertThat(line.first()).isEqualTo(7);
        assertThat(line.last()).isEqualTo(line.highest()).isCloseTo(9.7, within(1e-9));
    }

    @Test
    void isFlatUnderASawtooth() {
        for (var n = 0; n < 1_000; n++) {
            line.add(n / 1_000.0, n % 10);
        }
        assertThat(line.slope()).isCloseTo(0, within(0.1));
        assertThat(line.highest()).isEqualTo(9);
    }

    @Test
    void isFlatWithASingleValue() {
        line.add(1, 5);
        assertThat(line.slope()).isZero();
    }
}
