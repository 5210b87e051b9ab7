package io.sluice.offload.jdbc;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import org.postgresql.PGResultSetMetaData;
import org.postgresql.core.Field;

/** The wire format of a column, which PostgreSQL's driver reveals. */
public final class ColumnFormat {
    private ColumnFormat() {
    }

    /**
     * Returns whether {@code getBytes} returns a column's text as the database has sent it, without a
     * conversion. It is UTF-8, unless the database does not know its own encoding (SQL_ASCII).
     *
     * @param column counted from 1, of any type but bytea
     */
    public static boolean hasTextBytes(ResultSetMetaData types, int column) throws SQLException {
        return types instanceof PGResultSetMetaData formats && formats.getFormat(column) == Field.TEXT_FORMAT;
    }
}
