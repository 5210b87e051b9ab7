package io.sluice.offload.jdbc;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/**
 * The value of a column of H2 or MariaDB as an object that is bound unchanged. By JDBC's own classes a time
 * would lose its microseconds and a timestamp would be one of the JVM's time zone.
 */
final class TimeValue {
    private TimeValue() {
    }

    static @Nullable Object of(ResultSet row, int column) throws SQLException {
        ResultSetMetaData types = row.getMetaData();
        return switch (types.getColumnType(column)) {
            case Types.DATE -> "YEAR".equals(types.getColumnTypeName(column)) ? year(row, column)
                    : row.getObject(column, LocalDate.class);
            case Types.TIME -> time(row.getString(column));
            case Types.TIMESTAMP -> row.getObject(column, LocalDateTime.class);
            default -> row.getObject(column);
        };
    }

    /** Returns MariaDB's YEAR, which its driver reports as a date. */
    private static @Nullable Object year(ResultSet row, int column) throws SQLException {
        int year = row.getInt(column);
        return row.wasNull() ? null : year;
    }

    /** Returns a time of day, or the text of another time, which MariaDB has: negative, or beyond a day. */
    private static @Nullable Object time(@Nullable String text) {
        try {
            return text == null ? null : LocalTime.parse(text);
        } catch (DateTimeParseException e) {
            return text;
        }
    }
}
