package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlineTest {

    @Test
    void hasAsMuchLeftAsWasGiven() {
        long before = System.nanoTime();
        Deadline deadline = Deadline.after(Duration.ofMinutes(1));
        long remaining = deadline.remainingNanos();
        long passed = System.nanoTime() - before;

        assertThat(remaining).isBetween(Duration.ofMinutes(1).toNanos() - passed,
                Duration.ofMinutes(1).toNanos());
        assertThat(deadline.expired()).isFalse();
    }

    @Test
    void expiresWhenNothingIsLeft() {
        assertThat(Deadline.after(Duration.ZERO).expired()).isTrue();
        assertThat(new Deadline(System.nanoTime()).expired()).isTrue();
    }

    @Test
    void tellsHowLongAgoItPassed() {
        Deadline deadline = Deadline.after(Duration.ofSeconds(-5));

        assertThat(deadline.remainingNanos()).isLessThanOrEqualTo(-5_000_000_000L);
        assertThat(deadline.expired()).isTrue();
    }

    @Test
    void theEarliestIsTheSoonerOneWhicheverIsAsked() {
        var sooner = new Deadline(100);
        var later = new Deadline(101);

        assertThat(sooner.earliest(later)).isSameAs(sooner);
        assertThat(later.earliest(sooner)).isSameAs(sooner);
    }

    @Test
    void theEarliestIsRightWhereTheClockOverflows() {
        var sooner = new Deadline(Long.MAX_VALUE);
        var later = new Deadline(Long.MIN_VALUE);

        assertThat(sooner.earliest(later)).isSameAs(sooner);
        assertThat(later.earliest(sooner)).isSameAs(sooner);
    }
}
