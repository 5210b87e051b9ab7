package io.sluice.handlers.selection;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/**
 * How a database writes identifiers and compares rows.
 *
 * @param postgres whether it finds {@code (a, b) > (?, ?)} by an index
 */
record Dialect(String quote, boolean postgres) {

    /** Returns that of a connection, without asking the database. */
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
