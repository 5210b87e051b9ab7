package io.sluice.handlers.selection;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/**
 * The syntax of a database for identifiers and for comparisons of rows.
 *
 * @param postgres whether the database finds {@code (a, b) > (?, ?)} by an index
 */
record Dialect(String quote, boolean postgres) {

    /** Returns the dialect of a connection's database, without a query. */
    static Dialect of(Connection connection) throws SQLException {
        DatabaseMetaData database = connection.getMetaData();
        return new Dialect(database.getIdentifierQuoteString(),
                database.getDatabaseProductName().equals("PostgreSQL"));
    }

    /** Returns whether NULL is larger than any value in an order, or smaller. */
    boolean nullIsLargest() {
        return postgres;
    }

    /** Returns the name of a column as an identifier. */
    String quoted(String column) {
        return quote + column.replace(quote, quote + quote) + quote;
    }
}
