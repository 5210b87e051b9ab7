package io.sluice.handlers.rows;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDateTime;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The text of a column, by which tags, cursors and URLs name its value. */
public final class ColumnText {
    private static final String HEX = "\\x";
    /** The package of a driver whose classes the build does not have. */
    private static final String MARIADB = "org.mariadb.";

    private ColumnText() {
    }

    /**
     * Returns the text of a column of the current row; null for NULL. That of bytes is PostgreSQL's:
     * {@code \x} and hexadecimal digits. Drivers decode bytes as UTF-8, or give the text of Java's array. A
     * floating-point number of PostgreSQL has no exponent: its driver gives the server's text or Java's, by
     * the format of the transfer.
     *
     * @param column counted from 1
     */
    public static @Nullable String of(ResultSet row, int column) throws SQLException {
        ResultSetMetaData types = row.getMetaData();
        if (types.getColumnType(column) == Types.TIMESTAMP
                && types.getClass().getName().startsWith(MARIADB)) {
            LocalDateTime time = row.getObject(column, LocalDateTime.class); // the text is of the JVM's zone
            return time == null ? row.getString(column) : time.toString(); // 0000-00-00 is no time
        }
        String name = types.getColumnTypeName(column);
        if (isBytes(types.getColumnType(column), name)) {
            byte[] bytes = row.getBytes(column);
            return bytes == null ? null : of(bytes);
        }
        return switch (name) {
            case "float4" -> number(String.valueOf(row.getFloat(column)), row);
            case "float8" -> number(String.valueOf(row.getDouble(column)), row);
            default -> row.getString(column);
        };
    }

    private static @Nullable String number(String text, ResultSet row) throws SQLException {
        if (row.wasNull()) {
            return null;
        }
        boolean isFinite = Character.isDigit(text.charAt(text.length() - 1)); // not NaN, Infinity
        return isFinite ? new BigDecimal(text).stripTrailingZeros().toPlainString() : text;
    }

    /** Returns the text of bytes. */
    public static String of(byte[] bytes) {
        return HEX + HexFormat.of().formatHex(bytes);
    }

    /**
     * Returns whether the values of a type are bytes.
     *
     * @param type the JDBC type; H2 has none for a UUID, and reports that as bytes
     * @param name the database's own name of the type
     */
    public static boolean isBytes(int type, String name) {
        return (type == Types.BINARY || type == Types.VARBINARY || type == Types.LONGVARBINARY
                || type == Types.BLOB) && !"uuid".equalsIgnoreCase(name);
    }

    /** Returns the bytes of a text. */
    public static byte[] bytes(String text) {
        return HexFormat.of().parseHex(text, HEX.length(), text.length());
    }
}
