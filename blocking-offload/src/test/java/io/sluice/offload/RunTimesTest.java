package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RunTimesTest {
    private final RunTimes times = new RunTimes();

    @Test
    void areUnknownBeforeTheFirst() {
        assertThat(times.unknown()).isTrue();
        assertThat(times.mean()).isZero();

        times.completed(0);

        assertThat(times.unknown()).isFalse();
    }

    @Test
    void areTheMeanOfTheFirstAsLongAsThereAreFew() {
        times.completed(800);
        assertThat(times.mean()).isEqualTo(800);
        assertThat(times.deviation()).isZero();

        times.completed(400);
        assertThat(times.mean()).isEqualTo(600);
        assertThat(times.deviation()).isEqualTo(200);

        times.completed(900);
        assertThat(times.mean()).isEqualTo(700);
    }

    @Test
    void oldRunTimesAreForgotten() {
        times.completed(3_600_000_000_000L);
        for (int i = 0; i < 30_000; i++) {
            times.completed(500);
        }

        assertThat(times.mean()).isCloseTo(500, within(0.1));
        assertThat(times.deviation()).isCloseTo(0, within(0.1));
    }

    @Test
    void followAMixture() {
        var random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            times.completed(random.nextInt(10) == 0 ? 200_000 : 5_000);
        }

        assertThat(times.mean()).isCloseTo(24_500, within(5_000.0));
        assertThat(times.deviation()).isCloseTo(35_000, within(7_000.0));
    }

    @Test
    void cutOffRunTimeIsALowerBound() {
        times.completed(1_000);

        times.cutOff(10);
        assertThat(times.mean()).as("says nothing").isEqualTo(1_000);

        times.cutOff(3_000);
        assertThat(times.mean()).as("says that it is more").isEqualTo(2_000);
    }
}
