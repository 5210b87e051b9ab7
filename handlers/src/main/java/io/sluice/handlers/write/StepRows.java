package io.sluice.handlers.write;

import io.sluice.offload.jdbc.PostgresDriver;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Fetches the rows of steps, in pages that fit in the fetch buffer. A page has at most twice as many rows as
 * the one before, so that its size is derived from the widths of many rows. Thread-safe.
 */
public final class StepRows {
    /** The largest page. */
    private static final int PAGE_ROWS = 64;
    /** The largest first page. One row would cost a second round trip where there is no other row. */
    private static final int FIRST_ROWS = 2;
    /** Rows may be so many times wider than the widest known one, and still fit. */
    private static final int MARGIN = 8;

    private final long bound;
    private final boolean singly;
    /** The widths of the widest rows of the steps so far, in bytes. */
    private final Map<Step, Long> widest = new ConcurrentHashMap<>();

    /**
     * Creates steps without known rows.
     *
     * @param bound the largest size of the rows that are fetched at a time, in bytes
     * @param singly whether each row is fetched by itself, which costs nothing
     */
    public StepRows(long bound, boolean singly) {
        this.bound = bound;
        this.singly = singly;
    }

    /** Sets the rows of the first page of a statement. */
    void begin(Step step, PreparedStatement statement) throws SQLException {
        int others = singly ? 1 : PAGE_ROWS;
        statement.setFetchSize(PostgresDriver.runs(statement)
                ? rows(widest.getOrDefault(step, bound), FIRST_ROWS) : others);
    }

    private int rows(long width, int most) {
        return Math.clamp(bound / MARGIN / width, 1, most);
    }

    /**
     * Reads the current row and all after it. PostgreSQL runs a SELECT, its locks and the functions that it
     * calls, as far as its rows are read.
     */
    void readToEnd(Step step, ResultSet rows) throws SQLException {
        boolean isPostgres = PostgresDriver.runs(rows.getStatement());
        int page = rows.getFetchSize();
        int left = page;
        boolean isRow = true;
        while (isRow) {
            if (isPostgres) {
                long width = widest.merge(step, PostgresDriver.size(rows), Math::max);
                if (--left == 0) {
                    page = rows(width, Math.min(2 * page, PAGE_ROWS));
                    left = page;
                    rows.setFetchSize(page);
                }
            }
            isRow = rows.next();
        }
    }

    /** Records that rows did not fit: from now on, those of the step are fetched singly. */
    void exceeded(Step step) {
        widest.put(step, bound);
    }
}
