package io.sluice.loadtest.experiments.bench;

import java.time.Duration;

/** The durations and numbers of rounds of experiments. */
public enum Timing {
    /** Just enough to check that everything runs; the figures mean nothing. */
    SHORT(1, Duration.ofMillis(800), Duration.ofMillis(400), Duration.ofMillis(1_000)),
    /** Long enough for published figures: servers are warm before they are measured. */
    REPORT(3, Duration.ofSeconds(6), Duration.ofSeconds(2), Duration.ofSeconds(10));

    private static final int SHORTENED = 30;

    private final int rounds;
    private final Duration warmUp;
    private final Duration settle;
    private final Duration measured;

    Timing(int rounds, Duration warmUp, Duration settle, Duration measured) {
        this.rounds = rounds;
        this.warmUp = warmUp;
        this.settle = settle;
        this.measured = measured;
    }

    public int rounds() {
        return rounds;
    }

    /** The time for which a fresh gateway is under load before it is measured. */
    public Duration warmUp() {
        return warmUp;
    }

    /** The longest time beyond the warm-up for which the compilers of a server may be busy. */
    Duration compiling() {
        return this == SHORT ? Duration.ZERO : Duration.ofMinutes(1);
    }

    /** The length of the warm-up of an experiment that needs at least a certain one, unless short. */
    public Duration warmUp(Duration needed) {
        return this == SHORT || needed.compareTo(warmUp) < 0 ? warmUp : needed;
    }

    /** The time for which a warm gateway is under a new load before it is measured. */
    public Duration settle() {
        return settle;
    }

    public Duration measured() {
        return measured;
    }

    /** Scales the duration of a workload. */
    public Duration share(Duration whole) {
        return this == SHORT ? whole.dividedBy(SHORTENED) : whole;
    }

    /** Returns whether a missed goal fails the run. */
    public boolean judged() {
        return this == REPORT;
    }
}
