package io.sluice.handlers.http;

/**
 * Number of rows that a query fetches at a time, learnt from the sizes of the rows before. A driver holds all
 * of them at once, and can only be told their number. Thread-safe: a size that a race loses is learnt from
 * the next query.
 */
final class FetchSize {
    /** More save no time. */
    static final int MOST_ROWS = 500;
    /** Rows may be so many times as wide as the widest that is known, and still fit. */
    private static final int MARGIN = 8;
    /** A wide row is forgotten when there has been none like it for about as many queries. */
    private static final int MEMORY = 64;

    private final long bound;
    /** In bytes; 0 while none is known. */
    private volatile long widest;

    /**
     * Nothing is known yet.
     *
     * @param bound of the rows that are fetched at a time, in bytes
     */
    FetchSize(long bound) {
        this.bound = bound;
    }

    /** Whether so many rows may be fetched at once. */
    boolean fits(int rows) {
        long width = widest;
        return rows == 1 || width > 0 && rows <= MOST_ROWS && rows * width <= bound / MARGIN;
    }

    /** How many rows to fetch next; the first of a query whose rows are unknown come alone. */
    int rows() {
        return rows(widest);
    }

    /** How many rows to fetch next, where the query has had rows of that width. */
    int rows(long seen) {
        long width = Math.max(seen, widest);
        return width == 0 ? 1 : Math.clamp(bound / MARGIN / width, 1, MOST_ROWS);
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

    /** The rows of a query did not fit. */
    void exceeded() {
        widest = bound;
    }
}
