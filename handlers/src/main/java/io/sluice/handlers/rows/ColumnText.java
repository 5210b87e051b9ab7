package io.sluice.handlers.rows;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The text of a column, by which tags, cursors and URLs name its value. */
public final class ColumnText {
    private static final String HEX = "\\x";

    private ColumnText() {
    }

    /**
     * Returns the text of a column of the current row; null for NULL. That of bytes is PostgreSQL's:
     * {@code \x} and hexadecimal digits. Drivers decode bytes as UTF-8, or give the text of Java's array.
     *
     * @param column counted from 1
     */
    public static @Nullable String of(ResultSet row, int column) throws SQLException {
        if (!isBytes(row.getMetaData().getColumnType(column))) {
            return row.getString(column);
        }
        byte[] bytes = row.getBytes(column);
        return bytes == null ? null : HEX + HexFormat.of().formatHex(bytes);
    }

    /** Returns whether the values of a JDBC type are bytes. */
    public static boolean isBytes(int type) {
        return type == Types.BINARY || type == Types.VARBINARY || type == Types.LONGVARBINARY
                || type == Types.BLOB;
    }

    /** Returns the bytes of a text. */
    public static byte[] bytes(String text) {
        return HexFormat.of().parseHex(text, HEX.length(), text.length());
    }
}
