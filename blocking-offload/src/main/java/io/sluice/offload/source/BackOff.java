package io.sluice.offload.source;

import java.util.concurrent.ThreadLocalRandom;

/** The wait after a failure: doubled with each in a row from 0.1 s to 10 s, less up to a half at random. */
final class BackOff {
    private static final long FIRST_MILLIS = 100;
    private static final long MAX_MILLIS = 10_000;

    private long next = FIRST_MILLIS;

    /** Returns the wait after another failure. */
    long nextMillis() {
        long wait = next;
        next = Math.min(2 * next, MAX_MILLIS);
        return wait - ThreadLocalRandom.current().nextLong(wait / 2);
    }

    /** Begins anew after a success. */
    void reset() {
        next = FIRST_MILLIS;
    }
}
