package io.sluice.handlers.rows;

import io.netty.buffer.ByteBufUtil;
import io.sluice.offload.jdbc.PostgresDriver;
import java.io.IOException;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Locale;

/**
 * Writes a column. Numbers and booleans keep their types, JSON is inserted as it is, and times and intervals
 * are ISO 8601, times with an offset in UTC. Everything else is text, such as ranges, also numbers that JSON
 * does not have (NaN, infinity).
 */
@FunctionalInterface
interface ColumnWriter {
    /** The approximate size of a number or a time, in bytes. */
    int FIXED = 8;

    ColumnWriter TEXT = ColumnWriter::writeText;
    ColumnWriter TEXT_BYTES = ColumnWriter::writeTextBytes;
    ColumnWriter JSON = ColumnWriter::writeJson;
    ColumnWriter BOOLEAN = ColumnWriter::writeBoolean;
    ColumnWriter INT = ColumnWriter::writeInt;
    ColumnWriter LONG = ColumnWriter::writeLong;
    ColumnWriter FLOAT = ColumnWriter::writeFloat;
    ColumnWriter DOUBLE = ColumnWriter::writeDouble;
    ColumnWriter DECIMAL = ColumnWriter::writeDecimal;
    ColumnWriter BINARY = ColumnWriter::writeBinary;
    ColumnWriter ARRAY = ColumnWriter::writeArray;

    /** Writes a column of the current row, which may be NULL, and returns its approximate size in bytes. */
    long write(RowOutput out, ResultSet row, int column) throws SQLException, IOException;

    /** Returns the writer of a column, by its SQL type: the same object for the same type. */
    static ColumnWriter of(ResultSetMetaData types, int column) throws SQLException {
        String declared = types.getColumnTypeName(column);
        String name = declared.toLowerCase(Locale.ROOT);
        // Drivers report some of these with the wrong JDBC type; PostgreSQL's bit(8) is no boolean.
        return switch (name) {
            case "uuid", "bit", "money" -> text(types, column);
            case "json", "jsonb" -> JSON;
            case "timestamptz" -> TimeColumn.INSTANT;
            // PostgreSQL's name has small letters.
            case "time" -> declared.equals(name) ? TimeColumn.OF_DAY : TimeColumn.TIME;
            case "bigint unsigned" -> DECIMAL;
            case "year" -> INT;
            case "timetz" -> TimeColumn.OF_DAY_WITH_OFFSET;
            case "interval" -> TimeColumn.INTERVAL;
            case "interval year", "interval month", "interval year to month" -> TimeColumn.PERIOD;
            default -> name.startsWith("interval ") ? TimeColumn.DURATION : byType(types, column);
        };
    }

    private static ColumnWriter text(ResultSetMetaData types, int column) throws SQLException {
        return PostgresDriver.hasTextBytes(types, column) ? TEXT_BYTES : TEXT;
    }

    private static ColumnWriter byType(ResultSetMetaData types, int column) throws SQLException {
        return switch (types.getColumnType(column)) {
            case Types.BIT, Types.BOOLEAN -> BOOLEAN;
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER -> INT;
            case Types.BIGINT -> LONG;
            case Types.REAL -> FLOAT;
            case Types.FLOAT, Types.DOUBLE ->
                    isSingle(types.getColumnType(column), types.getPrecision(column)) ? FLOAT : DOUBLE;
            case Types.NUMERIC, Types.DECIMAL -> DECIMAL;
            case Types.DATE -> TimeColumn.DATE;
            case Types.TIME -> TimeColumn.TIME;
            case Types.TIME_WITH_TIMEZONE -> TimeColumn.TIME_WITH_OFFSET;
            case Types.TIMESTAMP -> TimeColumn.TIMESTAMP;
            case Types.TIMESTAMP_WITH_TIMEZONE -> TimeColumn.INSTANT;
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> BINARY;
            case Types.ARRAY -> ARRAY;
            default -> text(types, column);
        };
    }

    /** Returns whether a type is H2's FLOAT(n) of at most 24 binary digits, which is a REAL. */
    static boolean isSingle(int jdbc, int precision) {
        return jdbc == Types.FLOAT && precision > 0 && precision <= 24;
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
