package io.sluice.handlers.http;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.io.SerializedString;

/** Writes rows as JSON objects; the writer of each column is selected once, by its SQL type. */
final class RowWriter {
    private static final String DUPLICATE_COLUMN = "42701";

    private final SerializedString[] names;
    private final ColumnWriter[] columns;

    private RowWriter(SerializedString[] names, ColumnWriter[] columns) {
        this.names = names;
        this.columns = columns;
    }

    /**
     * Creates a writer for rows of these columns.
     *
     * @throws SQLException if two of them have the same name
     */
    static RowWriter of(ResultSetMetaData types) throws SQLException {
        int count = types.getColumnCount();
        SerializedString[] names = new SerializedString[count];
        ColumnWriter[] columns = new ColumnWriter[count];
        Set<String> distinct = HashSet.newHashSet(count);
        for (int i = 0; i < count; i++) {
            String name = types.getColumnLabel(i + 1);
            names[i] = new SerializedString(name);
            columns[i] = ColumnWriter.of(types, i + 1);
            if (!distinct.add(name)) {
                throw new SQLException("two columns of the result are called " + name
                        + " (expected: a name for each: " + name + " AS other)", DUPLICATE_COLUMN);
            }
        }
        return new RowWriter(names, columns);
    }

    /** Returns the number of columns. */
    int columns() {
        return columns.length;
    }

    /** Writes the current row, and returns the approximate size of its values in bytes. */
    long write(JsonGenerator json, ResultSet row) throws SQLException {
        long bytes = 0;
        json.writeStartObject();
        for (int i = 0; i < columns.length; i++) {
            json.writeName(names[i]);
            bytes += columns[i].write(json, row, i + 1);
        }
        json.writeEndObject();
        return bytes;
    }
}
