package io.sluice.handlers.upstream.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FirstByteTimeTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final FirstByteTime time = new FirstByteTime();

    @Test
    void isUnknownBeforeTheFirst() {
        assertThat(time.nanos(0)).isZero();
        assertThat(time.nanos(Long.MIN_VALUE)).isZero();
    }

    @Test
    void followsALongerOneAtOnce() {
        time.add(MILLI, 0);
        time.add(SECOND, MILLI);

        assertThat(time.nanos(MILLI)).isEqualTo(SECOND);
    }

    @Test
    void followsShorterOnesWithTime() {
        time.add(SECOND, 0);
        long now = 0;
        for (int i = 0; i < 1000; i++) {
            now += 10 * MILLI;
            time.add(MILLI, now);
        }

        assertThat(time.nanos(now)).isCloseTo((long) (SECOND / Math.E), within(SECOND / 50));
    }

    @Test
    void halvesEveryFiveSecondsWithoutFurtherOnes() {
        time.add(SECOND, 0);

        assertThat(time.nanos(5 * SECOND)).isEqualTo(SECOND / 2);
        assertThat(time.nanos(15 * SECOND)).isEqualTo(SECOND / 8);
        assertThat(time.nanos(5 * SECOND / 2)).isEqualTo(SECOND * 3 / 4);
        assertThat(time.nanos(1000 * SECOND)).isZero();
    }
}
