package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    private final MockTicker clock = Ticker.newMockTicker();

    @Test
    void hasAsMuchLeftAsWasGivenLessWhatHasPassed() {
        Deadline deadline = Deadline.after(Duration.ofMinutes(1), clock);
        clock.advanceMillis(20_000);

        assertThat(deadline.remainingNanos()).isEqualTo(40_000_000_000L);
        assertThat(deadline.expired()).isFalse();
    }

    @Test
    void expiresWhenNothingIsLeft() {
        assertThat(Deadline.after(Duration.ZERO).expired()).isTrue();
        assertThat(Deadline.after(Duration.ZERO, clock).expired()).isTrue();
    }

    @Test
    void tellsHowLongAgoItPassed() {
        Deadline deadline = Deadline.after(Duration.ofSeconds(5), clock);
        clock.advanceMillis(10_000);

        assertThat(deadline.remainingNanos()).isEqualTo(-5_000_000_000L);
        assertThat(deadline.expired()).isTrue();
    }

    @Test
    void theEarliestIsTheSoonerOneWhicheverIsAsked() {
        var sooner = new Deadline(100, clock);
        var later = new Deadline(101, clock);

        assertThat(sooner.earliest(later)).isSameAs(sooner);
        assertThat(later.earliest(sooner)).isSameAs(sooner);
    }

    @Test
    void theEarliestIsRightWhereTheClockOverflows() {
        var sooner = new Deadline(Long.MAX_VALUE, clock);
        var later = new Deadline(Long.MIN_VALUE, clock);

        assertThat(sooner.earliest(later)).isSameAs(sooner);
        assertThat(later.earliest(sooner)).isSameAs(sooner);
    }
}
