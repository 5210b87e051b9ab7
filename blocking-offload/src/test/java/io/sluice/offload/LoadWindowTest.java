package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LoadWindowTest {
    private static final long SECOND = 1_000_000_000L;
    /** A start time near the overflow of System.nanoTime(), whose origin is arbitrary. */
    private static final long START = Long.MAX_VALUE - 3 * SECOND;

    private final LoadWindow load = new LoadWindow(START);

    @Test
    void isEmptyAtFirst() {
        assertThat(load.arrivals(START)).isZero();
        assertThat(load.meanBusy(START)).isZero();
    }

    @Test
    void countsFromTheStartWhenThatIsLessThanTenSecondsAgo() {
        for (int i = 0; i < 50; i++) {
            load.arrived(START + i * SECOND / 20);
        }

        assertThat(load.arrivals(START + 5 * SECOND / 2)).isCloseTo(20, within(0.5));
        assertThat(load.arrivals(START + 5 * SECOND)).isCloseTo(10, within(0.2));
    }

    @Test
    void arrivalsBeforeTheWindowAreForgotten() {
        for (int i = 0; i < 2_000; i++) {
            load.arrived(START + i * SECOND / 100);
        }
        assertThat(load.arrivals(START + 20 * SECOND)).isCloseTo(100, within(5.0));

        assertThat(load.arrivals(START + 25 * SECOND)).isCloseTo(400 / 9.0, within(1.0));
        assertThat(load.arrivals(START + 31 * SECOND)).isZero();
    }

    @Test
    void knowsHowManyWorkersWereBusyOnAverage() {
        load.busy(START, 4);
        load.busy(START + SECOND, 0);
        assertThat(load.meanBusy(START + 2 * SECOND)).isCloseTo(2, within(0.01));

        load.busy(START + 4 * SECOND, 8);
        assertThat(load.meanBusy(START + 8 * SECOND)).isCloseTo((4 + 32) / 8.0, within(0.01));
    }

    @Test
    void countsOnWhenNothingChanges() {
        load.busy(START, 3);

        assertThat(load.meanBusy(START + 7 * SECOND)).isCloseTo(3, within(0.01));
        assertThat(load.meanBusy(START + 15 * SECOND)).isCloseTo(3, within(0.01));
        assertThat(load.meanBusy(START + 3_600 * SECOND + SECOND / 3)).isCloseTo(3, within(0.01));
        assertThat(load.meanBusy(START + 3_601 * SECOND)).isCloseTo(3, within(0.01));
    }
}
