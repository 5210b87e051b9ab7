package io.sluice.handlers.query;

import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;

/**
 * Determines the number of rows that a query fetches at a time, from the sizes of earlier rows, since a
 * driver holds all of them in memory and its limit is a number of rows, not bytes. Thread-safe; an update
 * that is lost by a race is repeated by the next query.
 */
final class FetchSize {
    /** The largest page of a cursor, since all its rows may suddenly be wide. */
    static final int PAGE_ROWS = 64;
    /** The largest page of a cursor whose query has had many rows, all of which would have fit as one. */
    static final int LONG_PAGE_ROWS = 512;
    /** The number of such rows. */
    static final int MANY_ROWS = 10_000;
    /** Rows may be so many times wider than the widest known one, and still fit. */
    private static final int MARGIN = 8;
    /** The approximate number of queries after which a wide row is forgotten, if there is none like it. */
    private static final int MEMORY = 64;
    private static final long CAUTION_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final long bound;
    private final boolean singly;
    private final Ticker clock;
    /** The width of the widest row, in bytes; 0 while unknown. */
    private volatile long widest;
    /** The number of rows since the last one that was too wide for a long page. */
    private volatile long narrow;
    /** The time until which rows are fetched one at a time. */
    private volatile long cautiousUntil;

    /**
     * Creates an estimate without known rows.
     *
     * @param bound the largest size of the rows that are fetched at a time, in bytes
     * @param singly whether each row is fetched by itself, which costs nothing
     */
    FetchSize(long bound, boolean singly, Ticker clock) {
        this.bound = bound;
        this.singly = singly;
        this.clock = clock;
        cautiousUntil = clock.nanoTime();
    }

    /**
     * Returns whether so many rows, the most that a query may have, can be fetched at once. Nothing of such a
     * result has been sent when its rows turn out to be too wide.
     */
    boolean fits(int rows) {
        long width = known();
        return rows == 1 || width > 0 && rows * width <= bound / MARGIN;
    }

    /** Returns the rows to fetch of a result that fits, the most that it may have. */
    int whole(int rows) {
        return singly ? 1 : rows;
    }

    /** Returns the rows to fetch next, if the query has had rows of that width; 1 if no width is known. */
    int rows(long seen) {
        long width = Math.max(seen, known());
        return singly || width == 0 ? 1 : Math.clamp(bound / MARGIN / width, 1,
                narrow < MANY_ROWS ? PAGE_ROWS : LONG_PAGE_ROWS);
    }

    private long known() {
        return cautiousUntil - clock.nanoTime() > 0 ? bound : widest;
    }

    /**
     * Records a query's rows.
     *
     * @param seen the width of the widest in bytes; 0 if there was none
     */
    void learn(long seen, long rows) {
        narrow = seen > bound / LONG_PAGE_ROWS ? 0 : Math.min(narrow + rows, MANY_ROWS);
        long width = widest;
        if (seen >= width) {
            widest = seen;
        } else if (seen > 0) {
            widest = width - Math.ceilDiv(width - seen, MEMORY);
        }
    }

    /**
     * Records that rows did not fit and the query cannot be repeated: for 10 s, all rows are fetched singly.
     */
    void exceeded() {
        narrow = 0;
        cautiousUntil = clock.nanoTime() + CAUTION_NANOS;
    }
}
