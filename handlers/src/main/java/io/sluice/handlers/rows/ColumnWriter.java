package io.sluice.handlers.rows;

import io.netty.buffer.ByteBufUtil;
import io.sluice.offload.jdbc.PostgresDriver;
import java.io.IOException;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.function.Function;

/**
 * Writes a column. Numbers and booleans keep their types, JSON is inserted as it is, and times and intervals
 * are ISO 8601, times with an offset in UTC. Everything else is text, such as ranges, also numbers that JSON
 * does not have (NaN, infinity).
 */
@FunctionalInterface
interface ColumnWriter {
    /** The digits of a second's fraction in PostgreSQL. */
    int MICROS = 6;
    /** The approximate size of a number or a time, in bytes. */
    int FIXED = 8;
    /** PostgreSQL's text format: 10:00:00.5+02, 10:00:00-05:30. */
    DateTimeFormatter TIMETZ = new DateTimeFormatterBuilder().append(DateTimeFormatter.ISO_LOCAL_TIME)
            .appendOffset("+HH:mm:ss", "+00").toFormatter(Locale.ROOT);

    /** Writes a column of the current row, which may be NULL, and returns its approximate size in bytes. */
    long write(RowOutput out, ResultSet row, int column) throws SQLException, IOException;

    /** Returns the writer of a column, by its SQL type. */
    static ColumnWriter of(ResultSetMetaData types, int column) throws SQLException {
        // Drivers report some of these with the wrong JDBC type; PostgreSQL's bit(8) is no boolean.
        return switch (types.getColumnTypeName(column).toLowerCase(Locale.ROOT)) {
            case "uuid", "bit", "money" -> text(types, column);
            case "json", "jsonb" -> ColumnWriter::writeJson;
            case "timestamptz" -> instant();
            case "time" -> time(types.getScale(column));
            case "timetz" -> ColumnWriter::writeTimetz;
            case "interval" -> ColumnWriter::writeInterval;
            case "interval year", "interval month", "interval year to month" ->
                    object(Period.class, Period::toString);
            case String name when name.startsWith("interval ") -> object(Duration.class, Duration::toString);
            default -> byType(types, column);
        };
    }

    private static ColumnWriter text(ResultSetMetaData types, int column) throws SQLException {
        return PostgresDriver.hasTextBytes(types, column) ? ColumnWriter::writeTextBytes
                : ColumnWriter::writeText;
    }

    private static ColumnWriter byType(ResultSetMetaData types, int column) throws SQLException {
        return switch (types.getColumnType(column)) {
            case Types.BIT, Types.BOOLEAN -> ColumnWriter::writeBoolean;
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER -> ColumnWriter::writeInt;
            case Types.BIGINT -> ColumnWriter::writeLong;
            case Types.REAL -> ColumnWriter::writeFloat;
            case Types.FLOAT, Types.DOUBLE -> ColumnWriter::writeDouble;
            case Types.NUMERIC, Types.DECIMAL -> ColumnWriter::writeDecimal;
            case Types.DATE -> object(LocalDate.class, date ->
                    date.equals(LocalDate.MAX) ? "infinity"
                            : date.equals(LocalDate.MIN) ? "-infinity" : date.toString());
            case Types.TIME -> object(LocalTime.class, DateTimeFormatter.ISO_LOCAL_TIME::format);
            case Types.TIME_WITH_TIMEZONE ->
                    object(OffsetTime.class, DateTimeFormatter.ISO_OFFSET_TIME::format);
            case Types.TIMESTAMP -> object(LocalDateTime.class, time ->
                    time.equals(LocalDateTime.MAX) ? "infinity"
                            : time.equals(LocalDateTime.MIN) ? "-infinity"
                            : DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(time));
            case Types.TIMESTAMP_WITH_TIMEZONE -> instant();
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> ColumnWriter::writeBinary;
            case Types.ARRAY -> ColumnWriter::writeArray;
            default -> text(types, column);
        };
    }

    /** PostgreSQL stores the instant only, H2 also the offset; in UTC both give the same text. */
    private static ColumnWriter instant() {
        return object(OffsetDateTime.class, time ->
                time.equals(OffsetDateTime.MAX) ? "infinity"
                        : time.equals(OffsetDateTime.MIN) ? "-infinity"
                        : DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                                time.withOffsetSameInstant(ZoneOffset.UTC)));
    }

    /** PostgreSQL has the time 24:00, which its driver returns as Java's last nanosecond of a day. */
    private static ColumnWriter time(int digits) {
        return object(LocalTime.class, time -> digits <= MICROS && time.equals(LocalTime.MAX) ? "24:00:00"
                : DateTimeFormatter.ISO_LOCAL_TIME.format(time));
    }

    /** Parses text, since PostgreSQL's driver loses the offset of 24:00 in an OffsetTime. */
    private static long writeTimetz(RowOutput out, ResultSet row, int column)
            throws SQLException, IOException {
        String value = row.getString(column);
        if (value == null) {
            out.writeNull();
        } else if (value.startsWith("24")) {
            out.writeText("24" + iso("00" + value.substring(2)).substring(2));
        } else {
            out.writeText(iso(value));
        }
        return FIXED;
    }

    private static long writeInterval(RowOutput out, ResultSet row, int column)
            throws SQLException, IOException {
        String value = row.getString(column);
        if (value == null) {
            out.writeNull();
        } else {
            out.writeText(IntervalText.iso(value));
        }
        return FIXED;
    }

    private static String iso(String timetz) {
        return DateTimeFormatter.ISO_OFFSET_TIME.format(TIMETZ.parse(timetz, OffsetTime::from));
    }

    private static <T> ColumnWriter object(Class<T> type, Function<T, String> format) {
        return (out, row, column) -> {
            T value = row.getObject(column, type);
            if (value == null) {
                out.writeNull();
            } else {
                out.writeText(format.apply(value));
            }
            return FIXED;
        };
    }

    /** Saves the detour by a String where each byte is a character. */
    private static long writeTextBytes(RowOutput out, ResultSet row, int column)
            throws SQLException, IOException {
        byte[] value = row.getBytes(column);
        if (value != null && isAscii(value)) {
            out.writeAscii(value);
            return value.length;
        }
        return writeText(out, row, column);
    }

    private static boolean isAscii(byte[] text) {
        int all = 0;
        for (byte octet : text) {
            all |= octet;
        }
        return all >= 0;
    }

    private static long writeText(RowOutput out, ResultSet row, int column)
            throws SQLException, IOException {
        String value = row.getString(column);
        if (value == null) {
            out.writeNull();
            return 0;
        }
        out.writeText(value);
        return ByteBufUtil.utf8Bytes(value);
    }

    private static long writeJson(RowOutput out, ResultSet row, int column)
            throws SQLException, IOException {
        String value = row.getString(column);
        if (value == null) {
            out.writeNull();
            return 0;
        }
        out.writeJson(value);
        return ByteBufUtil.utf8Bytes(value);
    }

    private static long writeBoolean(RowOutput out, ResultSet row, int column)
            throws SQLException, IOException {
        boolean value = row.getBoolean(column);
        if (row.wasNull()) {
            out.writeNull();
        } else {
            out.writeBoolean(value);
        }
        return FIXED;
    }

    private static long writeInt(RowOutput out, ResultSet row, int column)
            throws SQLException, IOException {
        long value = row.getLong(column);
        if (row.wasNull()) {
            out.writeNull();
        } else {
            out.writeInt(value);
        }
        return FIXED;
    }

    private static long writeLong(RowOutput out, ResultSet row, int column)
            throws SQLException, IOException {
        long value = row.getLong(column);
        if (row.wasNull()) {
            out.writeNull();
        } else {
            out.writeLong(value);
        }
        return FIXED;
    }

    /** Does not convert to double, in which 0.1 would become 0.10000000149011612. */
    private static long writeFloat(RowOutput out, ResultSet row, int column)
            throws SQLException, IOException {
        float value = row.getFloat(column);
        if (row.wasNull()) {
            out.writeNull();
        } else {
            out.writeFloat(value);
        }
        return FIXED;
    }

    private static long writeDouble(RowOutput out, ResultSet row, int column)
            throws SQLException, IOException {
        double value = row.getDouble(column);
        if (row.wasNull()) {
            out.writeNull();
        } else {
            out.writeDouble(value);
        }
        return FIXED;
    }

    private static long writeDecimal(RowOutput out, ResultSet row, int column)
            throws SQLException, IOException {
        String value = row.getString(column);
        if (value == null) {
            out.writeNull();
            return 0;
        }
        if (DecimalText.isNumber(value)) {
            out.writeDecimal(DecimalText.json(value));
        } else {
            out.writeText(value);
        }
        return value.length();
    }

    private static long writeBinary(RowOutput out, ResultSet row, int column)
            throws SQLException, IOException {
        byte[] value = row.getBytes(column);
        if (value == null) {
            out.writeNull();
            return 0;
        }
        out.writeBinary(value);
        return value.length;
    }

    /** Writes elements like columns of their type; they are in column 2, their index is in column 1. */
    private static long writeArray(RowOutput out, ResultSet row, int column)
            throws SQLException, IOException {
        Array array = row.getArray(column);
        if (array == null) {
            out.writeNull();
            return 0;
        }
        long bytes = 0;
        try (ResultSet elements = array.getResultSet()) {
            ColumnWriter element = of(elements.getMetaData(), 2);
            RowOutput inner = out.beginArray();
            while (elements.next()) {
                bytes += element.write(inner, elements, 2);
            }
            out.endArray();
            return bytes;
        } finally {
            array.free();
        }
    }
}
