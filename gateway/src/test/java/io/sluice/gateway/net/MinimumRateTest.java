package io.sluice.gateway.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.TimeoutsConfig;
import io.sluice.gateway.http1.EmbeddedGateway;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MinimumRateTest {
    private static final TimeoutsConfig TIMEOUTS = EmbeddedGateway.config(Map.of(
            "sluice.server.timeouts.stall", "10s", "sluice.server.timeouts.min-rate", "100")).timeouts();

    private final MinimumRate rate = new MinimumRate(TIMEOUTS);

    private boolean isTooSlow(boolean waits, long moved, long second) {
        return rate.isTooSlow(waits, moved, TimeUnit.SECONDS.toNanos(second));
    }

    @Test
    void isTooSlowWhenLittleHasMovedForAStall() {
        assertThat(isTooSlow(true, 5_000, 7)).isFalse();
        assertThat(isTooSlow(true, 5_999, 16)).isFalse();
        assertThat(isTooSlow(true, 5_999, 17)).isTrue();
    }

    @Test
    void beginsAnewWithEachStall() {
        assertThat(isTooSlow(true, 0, 0)).isFalse();
        assertThat(isTooSlow(true, 1_000_000, 10)).isFalse();
        assertThat(isTooSlow(true, 1_000_999, 19)).isFalse();
        assertThat(isTooSlow(true, 1_000_999, 20)).isTrue();
    }

    @Test
    void doesNotCountTheTimeInWhichNothingWaits() {
        assertThat(isTooSlow(true, 0, 0)).isFalse();
        assertThat(isTooSlow(false, 1, 9)).isFalse();
        assertThat(isTooSlow(true, 1, 11)).isFalse();
        assertThat(isTooSlow(true, 1, 20)).isFalse();
        assertThat(isTooSlow(true, 1, 21)).isTrue();
    }

    /** At 100 bytes a second, 64 KiB take 655.36 s. */
    @Test
    void ofASocketWaitsForALargeStep() {
        MinimumRate socket = MinimumRate.ofSocket(TIMEOUTS);
        long due = TimeUnit.MILLISECONDS.toNanos(665_360);
        assertThat(socket.isTooSlow(true, 0, 0)).isFalse();
        assertThat(socket.isTooSlow(true, 0, due - 1)).isFalse();
        assertThat(socket.isTooSlow(true, 65_536, due)).isFalse();
        assertThat(socket.isTooSlow(true, 66_535, 2 * due)).isTrue();
    }
}
