package io.sluice.loadtest.experiments.bench;

import java.time.Duration;

/** How long everything takes. */
public enum Timing {
    /** Just enough to see that everything runs; its figures mean nothing. */
    SHORT(1, 1, Duration.ofMillis(800), Duration.ofMillis(400), Duration.ofMillis(1_000)),
    /** Warm before it measures. */
    REPORT(3, 5, Duration.ofSeconds(6), Duration.ofSeconds(2), Duration.ofSeconds(10));

    private static final int SHORTENED = 30;

    private final int rounds;
    private final int manyRounds;
    private final Duration warmUp;
    private final Duration settle;
    private final Duration measured;

    Timing(int rounds, int manyRounds, Duration warmUp, Duration settle, Duration measured) {
        this.rounds = rounds;
        this.manyRounds = manyRounds;
        this.warmUp = warmUp;
        this.settle = settle;
        this.measured = measured;
    }

    public int rounds() {
        return rounds;
    }

    /** Where a few percent matter. */
    public int manyRounds() {
        return manyRounds;
    }

    /** How long a fresh gateway is under load before anything counts. */
    public Duration warmUp() {
        return warmUp;
    }

    /** The same, where a warm-up that is to mean anything takes a time of its own. */
    public Duration warmUp(Duration needed) {
        return this == SHORT || needed.compareTo(warmUp) < 0 ? warmUp : needed;
    }

    /** How long a warm gateway is under a new load before anything counts. */
    public Duration settle() {
        return settle;
    }

    public Duration measured() {
        return measured;
    }

    /** So much of the time that a workload takes. */
    public Duration share(Duration whole) {
        return this == SHORT ? whole.dividedBy(SHORTENED) : whole;
    }

    /** Whether a goal that is missed is a failure of the run. */
    public boolean judged() {
        return this == REPORT;
    }
}
