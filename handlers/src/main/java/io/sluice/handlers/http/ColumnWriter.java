package io.sluice.handlers.http;

import io.netty.buffer.ByteBufUtil;
import io.sluice.offload.jdbc.PostgresDriver;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;

/**
 * Writes a column as JSON. Numbers and booleans keep their types, JSON is inserted as it is, binary values
 * are Base64, and times are ISO 8601, those with an offset in UTC. Everything else is text, also numbers that
 * JSON does not have (NaN, infinity).
 */
@FunctionalInterface
interface ColumnWriter {
    /** Numbers with a larger scale get an exponent: 1E+100000 is short, its digits are not. */
    int MAX_SCALE = 1000;
    /** The digits of a second's fraction in PostgreSQL. */
    int MICROS = 6;
    /** The approximate size of a number or a time, in bytes. */
    int FIXED = 8;
    /** PostgreSQL's text format: 10:00:00.5+02, 10:00:00-05:30. */
    DateTimeFormatter TIMETZ = new DateTimeFormatterBuilder().append(DateTimeFormatter.ISO_LOCAL_TIME)
            .appendOffset("+HH:mm:ss", "+00").toFormatter(Locale.ROOT);

    /** Writes a column of the current row, which may be NULL, and returns its approximate size in bytes. */
    long write(JsonGenerator json, ResultSet row, int column) throws SQLException;

    /** Returns the writer of a column, by its SQL type. */
    static ColumnWriter of(ResultSetMetaData types, int column) throws SQLException {
        // Drivers report some of these with the wrong JDBC type; PostgreSQL's bit(8) is no boolean.
        return switch (types.getColumnTypeName(column).toLowerCase(Locale.ROOT)) {
            case "uuid", "bit", "money" -> text(types, column);
            case "json", "jsonb" -> ColumnWriter::writeJson;
            case "timestamptz" -> instant();
            case "time" -> time(types.getScale(column));
            case "timetz" -> ColumnWriter::writeTimetz;
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
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT -> ColumnWriter::writeLong;
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
    private static long writeTimetz(JsonGenerator json, ResultSet row, int column) throws SQLException {
        String value = row.getString(column);
        if (value == null) {
            json.writeNull();
        } else if (value.startsWith("24")) {
            json.writeString("24" + iso("00" + value.substring(2)).substring(2));
        } else {
            json.writeString(iso(value));
        }
        return FIXED;
    }

    private static String iso(String timetz) {
        return DateTimeFormatter.ISO_OFFSET_TIME.format(TIMETZ.parse(timetz, OffsetTime::from));
    }

    private static <T> ColumnWriter object(Class<T> type, Function<T, String> format) {
        return (json, row, column) -> {
            T value = row.getObject(column, type);
            if (value == null) {
                json.writeNull();
            } else {
                json.writeString(format.apply(value));
            }
            return FIXED;
        };
    }

    /** Saves the detour by a String where each byte is a character. */
    private static long writeTextBytes(JsonGenerator json, ResultSet row, int column) throws SQLException {
        byte[] value = row.getBytes(column);
        if (value != null && isAscii(value)) {
            json.writeUTF8String(value, 0, value.length);
            return value.length;
        }
        return writeText(json, row, column);
    }

    private static boolean isAscii(byte[] text) {
        int all = 0;
        for (byte octet : text) {
            all |= octet;
        }
        return all >= 0;
    }

    private static long writeText(JsonGenerator json, ResultSet row, int column) throws SQLException {
        String value = row.getString(column);
        if (value == null) {
            json.writeNull();
            return 0;
        }
        json.writeString(value);
        return ByteBufUtil.utf8Bytes(value);
    }

    private static long writeJson(JsonGenerator json, ResultSet row, int column) throws SQLException {
        String value = row.getString(column);
        if (value == null) {
            json.writeNull();
            return 0;
        }
        json.writeRawValue(value);
        return ByteBufUtil.utf8Bytes(value);
    }

    private static long writeBoolean(JsonGenerator json, ResultSet row, int column) throws SQLException {
        boolean value = row.getBoolean(column);
        if (row.wasNull()) {
            json.writeNull();
        } else {
            json.writeBoolean(value);
        }
        return FIXED;
    }

    private static long writeLong(JsonGenerator json, ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        if (row.wasNull()) {
            json.writeNull();
        } else {
            json.writeNumber(value);
        }
        return FIXED;
    }

    /** Does not convert to double, in which 0.1 would become 0.10000000149011612. */
    private static long writeFloat(JsonGenerator json, ResultSet row, int column) throws SQLException {
        float value = row.getFloat(column);
        if (row.wasNull()) {
            json.writeNull();
        } else {
            json.writeNumber(value);
        }
        return FIXED;
    }

    private static long writeDouble(JsonGenerator json, ResultSet row, int column) throws SQLException {
        double value = row.getDouble(column);
        if (row.wasNull()) {
            json.writeNull();
        } else {
            json.writeNumber(value);
        }
        return FIXED;
    }

    /** PostgreSQL's numeric includes NaN and infinity, which BigDecimal does not. */
    private static long writeDecimal(JsonGenerator json, ResultSet row, int column) throws SQLException {
        String value = row.getString(column);
        if (value == null) {
            json.writeNull();
            return 0;
        }
        if (isPlainNumber(value)) {
            json.writeNumber(value);
        } else if (Character.isLetter(value.charAt(value.length() - 1))) {
            json.writeString(value);
        } else {
            var number = new BigDecimal(value);
            json.writeNumber(Math.abs((long) number.scale()) > MAX_SCALE ? number.toString()
                    : number.toPlainString());
        }
        return value.length();
    }

    /** Returns whether a short number is JSON as it is: digits without leading zeros, and no exponent. */
    private static boolean isPlainNumber(String value) {
        int first = value.charAt(0) == '-' ? 1 : 0;
        int length = value.length();
        if (length == first || length > MAX_SCALE || !isDigit(value.charAt(length - 1))
                || !isDigit(value.charAt(first))
                || value.charAt(first) == '0' && length > first + 1 && value.charAt(first + 1) != '.') {
            return false;
        }
        int points = 0;
        for (int i = first; i < length; i++) {
            points += value.charAt(i) == '.' ? 1 : 0;
            if (points > 1 || value.charAt(i) != '.' && !isDigit(value.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static long writeBinary(JsonGenerator json, ResultSet row, int column) throws SQLException {
        byte[] value = row.getBytes(column);
        if (value == null) {
            json.writeNull();
            return 0;
        }
        json.writeBinary(value);
        return value.length;
    }

    /** Writes elements like columns of their type; they are in column 2, their index is in column 1. */
    private static long writeArray(JsonGenerator json, ResultSet row, int column) throws SQLException {
        Array array = row.getArray(column);
        if (array == null) {
            json.writeNull();
            return 0;
        }
        long bytes = 0;
        try (ResultSet elements = array.getResultSet()) {
            ColumnWriter element = of(elements.getMetaData(), 2);
            json.writeStartArray();
            while (elements.next()) {
                bytes += element.write(json, elements, 2);
            }
            json.writeEndArray();
            return bytes;
        } finally {
            array.free();
        }
    }
}
