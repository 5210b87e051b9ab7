package io.sluice.handlers.http;

import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;

/**
 * Number of rows that a query fetches at a time, learnt from the sizes of the rows before. A driver holds all
 * of them at once, and can only be told their number. Thread-safe: a size that a race loses is learnt from
 * the next query.
 */
final class FetchSize {
    /** Rows of a cursor's page at most, as all of them may suddenly be wide. */
    static final int PAGE_ROWS = 64;
    /** Without a cursor, where nothing has been sent yet when the rows turn out to be too wide. */
    static final int WHOLE_ROWS = 500;
    /** Rows may be so many times as wide as the widest that is known, and still fit. */
    private static final int MARGIN = 8;
    /** A wide row is forgotten when there has been none like it for about as many queries. */
    private static final int MEMORY = 64;
    private static final long CAUTION_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final long bound;
    private final Ticker clock;
    /** In bytes; 0 while none is known. */
    private volatile long widest;
    /** Until when rows come alone. */
    private volatile long cautiousUntil;

    /**
     * Nothing is known yet.
     *
     * @param bound of the rows that are fetched at a time, in bytes
     */
    FetchSize(long bound, Ticker clock) {
        this.bound = bound;
        this.clock = clock;
        cautiousUntil = clock.nanoTime();
    }

    /** Tells whether so many rows, all that a query may have, can be fetched at once. */
    boolean fits(int rows) {
        long width = known();
        return rows == 1 || width > 0 && rows <= WHOLE_ROWS && rows * width <= bound / MARGIN;
    }

    /** How many rows to fetch next, where the query has had rows of that width; 1 where nothing is known. */
    int rows(long seen) {
        long width = Math.max(seen, known());
        return width == 0 ? 1 : Math.clamp(bound / MARGIN / width, 1, PAGE_ROWS);
    }

    private long known() {
        return cautiousUntil - clock.nanoTime() > 0 ? bound : widest;
    }

    /** Learns the width of a query's widest row, in bytes; 0 where it had none. */
    void learn(long seen) {
        long width = widest;
        if (seen >= width) {
            widest = seen;
        } else if (seen > 0) {
            widest = width - Math.ceilDiv(width - seen, MEMORY);
        }
    }

    /** The rows of a query did not fit, and it cannot run again: for a while, all rows come alone. */
    void exceeded() {
        cautiousUntil = clock.nanoTime() + CAUTION_NANOS;
    }
}
