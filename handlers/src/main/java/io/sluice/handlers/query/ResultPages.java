package io.sluice.handlers.query;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The pages in which the rows of one result are fetched. A page has at most twice as many rows as the one
 * before, so that its size is derived from the widths of many rows. Confined to its worker.
 */
final class ResultPages {
    private final FetchSize sizes;
    private final int mostRows;
    private final boolean alone;
    private final boolean whole;
    private int page;
    /** The number of rows of the page that have not been read. */
    private int left;
    private int largest;
    private long rows;
    /** The width of the widest row in bytes. */
    private long widest;

    /**
     * Creates the pages of a result that has not been fetched.
     *
     * @param mostRows the largest number of its rows
     * @param alone whether each row is a page
     */
    ResultPages(FetchSize sizes, int mostRows, boolean alone) {
        this.sizes = sizes;
        this.mostRows = mostRows;
        this.alone = alone;
        whole = !alone && sizes.fits(mostRows);
        begin(whole ? sizes.whole(mostRows) : alone ? 1 : sizes.rows(0));
    }

    private void begin(int rows) {
        page = Math.min(rows, mostRows);
        left = page;
        largest = Math.max(largest, page);
    }

    /** Returns whether all rows certainly fit in the fetch buffer. */
    boolean isWhole() {
        return whole;
    }

    /** Returns the number of rows of the page that is fetched next. */
    int size() {
        return page;
    }

    /** Returns the number of rows of the largest page so far. */
    int largest() {
        return largest;
    }

    /** Counts a row of so many bytes; after the last row of a page, sets the driver's size of the next. */
    void read(long width, ResultSet result) throws SQLException {
        widest = Math.max(widest, width);
        rows++;
        if (--left == 0) {
            begin(alone ? 1 : Math.min(2 * page, sizes.rows(widest)));
            result.setFetchSize(page);
        }
    }

    /** Records the rows for later queries. */
    void end() {
        sizes.learn(widest, rows);
    }
}
