package io.sluice.offload.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import org.postgresql.PGResultSetMetaData;
import org.postgresql.PGStatement;
import org.postgresql.core.Field;

/** What PostgreSQL's driver reveals beyond JDBC. The driver may be absent: then nothing is its own. */
public final class PostgresDriver {
    private static final boolean PRESENT = isPresent();

    private PostgresDriver() {
    }

    private static boolean isPresent() {
        try {
            Class.forName("org.postgresql.Driver", false, PostgresDriver.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /**
     * Returns whether {@code getBytes} returns a column's text as the database has sent it, without a
     * conversion. It is UTF-8, unless the database does not know its own encoding (SQL_ASCII).
     *
     * @param column counted from 1, of any type but bytea
     */
    public static boolean hasTextBytes(ResultSetMetaData types, int column) throws SQLException {
        return PRESENT && types instanceof PGResultSetMetaData formats
                && formats.getFormat(column) == Field.TEXT_FORMAT;
    }

    /** Binds a text whose type the database infers, so that it may be any type's. */
    public static void setUntyped(PreparedStatement statement, int index, String text) throws SQLException {
        statement.setObject(index, text, Types.OTHER);
    }

    /** Returns whether a statement, wrapped or not, is the driver's. */
    static boolean runs(Statement statement) throws SQLException {
        return PRESENT && statement.isWrapperFor(PGStatement.class);
    }
}
