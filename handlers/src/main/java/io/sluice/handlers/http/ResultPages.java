package io.sluice.handlers.http;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Pages in which the rows of one result are fetched. A page has at most twice as many rows as the one before,
 * so that the width that has been seen is that of many rows. Confined to its worker.
 */
final class ResultPages {
    private final FetchSize sizes;
    private final int mostRows;
    private final boolean alone;
    private final boolean whole;
    private int page;
    /** Rows of the page that have not been read. */
    private int left;
    private int largest;
    /** In bytes. */
    private long widest;

    /**
     * The pages of a result that has not been fetched.
     *
     * @param mostRows that it may have
     * @param alone whether each row is a page
     */
    ResultPages(FetchSize sizes, int mostRows, boolean alone) {
        this.sizes = sizes;
        this.mostRows = mostRows;
        this.alone = alone;
        whole = !alone && sizes.fits(mostRows);
        begin(whole ? mostRows : alone ? 1 : sizes.rows(0));
    }

    private void begin(int rows) {
        page = Math.min(rows, mostRows);
        left = page;
        largest = Math.max(largest, page);
    }

    /** Whether all rows are one page. */
    boolean isWhole() {
        return whole;
    }

    /** Rows of the page that is fetched next. */
    int size() {
        return page;
    }

    /** Rows of the largest page that has been asked for. */
    int largest() {
        return largest;
    }

    /** Counts a row of so many bytes; behind the last of a page, tells the driver the size of the next. */
    void read(long width, ResultSet rows) throws SQLException {
        widest = Math.max(widest, width);
        if (--left == 0) {
            begin(alone ? 1 : Math.min(2 * page, sizes.rows(widest)));
            rows.setFetchSize(page);
        }
    }

    /** Keeps what the result has taught. */
    void end() {
        sizes.learn(widest);
    }
}
