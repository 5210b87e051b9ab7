package io.sluice.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.offload.OffloadStats;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PoolAdviceTest {
    private static final Duration RUN_TIME = Duration.ofNanos(20_400_000);

    @Test
    void saysWhatThePoolCanDoHowMuchOfItIsUsedAndWhatWouldFit() {
        assertThat(PoolAdvice.of(new OffloadStats(10, 10, 2000, RUN_TIME, 1471, 9.8))).isEqualTo(
                "10 workers x 20.4 ms = 490/s; 98 % in use; "
                        + "3.00 x as much arrives as fits: 41 workers would do, "
                        + "where what they use bears it");
    }

    @Test
    void isContentWithAPoolThatHasRoom() {
        assertThat(PoolAdvice.of(new OffloadStats(10, 1, 0, RUN_TIME, 50, 1.02))).isEqualTo(
                "10 workers x 20.4 ms = 490/s; 10 % in use; what arrives fits");
    }

    @Test
    void warnsOfAPoolThatIsAlmostFull() {
        assertThat(PoolAdvice.of(new OffloadStats(10, 10, 5, RUN_TIME, 470, 9.6))).isEqualTo(
                "10 workers x 20.4 ms = 490/s; 96 % in use; "
                        + "as good as full: 13 workers would do, where what they use bears it");
    }

    @Test
    void doesNotCountOnAMeanThatNoLongerHolds() {
        assertThat(PoolAdvice.of(new OffloadStats(10, 10, 30, RUN_TIME, 3, 10))).isEqualTo(
                "10 workers x 20.4 ms = 490/s; 100 % in use; what runs now takes much longer than that");
    }

    @Test
    void neverAdvisesFewerWorkersThanThereAreToAPoolThatIsFull() {
        assertThat(PoolAdvice.of(new OffloadStats(10, 10, 30, RUN_TIME, 300, 9.9)))
                .endsWith("as good as full: 11 workers would do, where what they use bears it");
    }

    @Test
    void saysWhyTasksWaitBesideIdleWorkers() {
        assertThat(PoolAdvice.of(new OffloadStats(10, 9, 31, RUN_TIME, 460, 8.9))).isEqualTo(
                "10 workers x 20.4 ms = 490/s; 89 % in use; what arrives fits; "
                        + "1 kept idle for other clients, as 31 tasks beyond client-share wait");
    }

    @Test
    void knowsNothingBeforeAnythingHasRun() {
        assertThat(PoolAdvice.of(new OffloadStats(4, 4, 1, Duration.ZERO, 0.5, 4)))
                .isEqualTo("4 workers; nothing has run yet, so nobody knows what they can do");
    }
}
