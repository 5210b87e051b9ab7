package io.sluice.loadtest.simulations;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.loadtest.simulations.Thresholds.Limit;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StairTest {

    private final Stair stair = stair(Map.of(Limit.P99, 500.0, Limit.ERROR_RATIO, 0.005));

    @Test
    void breaksWithTheRequestThatMakesThe99thPercentileTooLong() {
        answered(stair, 900, 499);
        answered(stair, 10, 500);
        assertThat(stair.isBroken()).isFalse();
        answered(stair, 1, 500);
        assertThat(stair.isBroken()).isTrue();
        assertThat(stair.why()).isEqualTo("of 1,000 requests 0 failed, 11 took 500 ms or longer");
    }

    @Test
    void breaksWithOneFailureTooMany() {
        for (var n = 0; n < 5; n++) {
            stair.failed();
        }
        assertThat(stair.isBroken()).isFalse();
        stair.failed();
        assertThat(stair.isBroken()).isTrue();
    }

    @Test
    void countsNothingThatComesAfterwards() {
        answered(stair, 20, 600);
        stair.failed();
        assertThat(stair.why()).isEqualTo("of 1,000 requests 0 failed, 11 took 500 ms or longer");
    }

    @Test
    void bearsNoFailureWhereNoneIsAllowed() {
        var strict = stair(Map.of(Limit.ERROR_RATIO, 0.0));
        answered(strict, 1_000, 60_000);
        assertThat(strict.isBroken()).isFalse();
        strict.failed();
        assertThat(strict.isBroken()).isTrue();
        assertThat(strict.why()).isEqualTo("of 1,000 requests 1 failed");
    }

    private static Stair stair(Map<Limit, Double> limits) {
        return new Stair(100, Duration.ofSeconds(10), new Thresholds(limits));
    }

    private static void answered(Stair stair, int times, long millis) {
        for (var n = 0; n < times; n++) {
            stair.answered(Duration.ofMillis(millis));
        }
    }
}
