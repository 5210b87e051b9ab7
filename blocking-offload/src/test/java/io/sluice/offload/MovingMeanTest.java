package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class MovingMeanTest {
    private final MovingMean mean = new MovingMean();

    @Test
    void isZeroBeforeTheFirstValue() {
        assertThat(mean.nanos()).isZero();
    }

    @Test
    void isTheFirstValueAtFirst() {
        mean.add(800);

        assertThat(mean.nanos()).isEqualTo(800);
    }

    @Test
    void remembersThatTheFirstValueWasZero() {
        mean.add(0);
        mean.add(1600);

        assertThat(mean.nanos()).isEqualTo(100);
    }

    @Test
    void movesByASixteenthOfTheDifference() {
        mean.add(1600);
        mean.add(0);
        assertThat(mean.nanos()).isEqualTo(1500);

        mean.add(3100);
        assertThat(mean.nanos()).isEqualTo(1600);
    }

    @Test
    void forgetsWhatWasLongAgo() {
        mean.add(Duration.ofHours(1).toNanos());
        for (int i = 0; i < 1000; i++) {
            mean.add(500);
        }

        assertThat(mean.nanos()).isCloseTo(500, within(0.1));
    }

    @RepeatedTest(20)
    void losesNoValueWhenManyThreadsAdd() throws Exception {
        int threads = 4;
        int adds = 40;
        mean.add(0);
        var allAtOnce = new CyclicBarrier(threads);
        var adders = new ArrayList<Thread>();
        for (int i = 0; i < threads; i++) {
            adders.add(Thread.ofPlatform().start(() -> {
                awaitOthers(allAtOnce);
                for (int j = 0; j < adds; j++) {
                    mean.add(1_000_000);
                }
            }));
        }
        for (Thread adder : adders) {
            adder.join();
        }

        double expected = 1e6 * (1 - Math.pow(15.0 / 16, threads * adds));
        assertThat(mean.nanos()).isCloseTo(expected, within(1e-3));
    }

    private static void awaitOthers(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new AssertionError(e);
        }
    }
}
