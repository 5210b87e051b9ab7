package io.sluice.handlers.upstream.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FailureShareTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final FailureShare share = new FailureShare();

    private void add(int times, boolean failed) {
        for (int i = 0; i < times; i++) {
            share.add(failed, 0);
        }
    }

    @Test
    void isAQuarterAfterOneFailure() {
        add(100, false);
        add(1, true);

        assertThat(share.share(0)).isEqualTo(0.25);
    }

    @Test
    void isForgottenAfterSuccesses() {
        add(10, true);
        add(20, false);

        assertThat(share.share(0)).isLessThan(0.01);
    }

    @Test
    void staysBelowOne() {
        add(1000, true);

        assertThat(share.share(0)).isEqualTo(0.99);
    }

    @Test
    void halvesEveryFiveSeconds() {
        add(1, true);

        assertThat(share.share(5 * SECOND)).isCloseTo(0.125, within(1e-9));
        assertThat(share.share(10 * SECOND)).isCloseTo(0.0625, within(1e-9));
    }
}
