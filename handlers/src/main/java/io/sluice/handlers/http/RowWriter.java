package io.sluice.handlers.http;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import tools.jackson.core.JsonGenerator;

/** Writes rows as JSON objects; how each column is written is decided once, from its SQL type. */
final class RowWriter {
    private final String[] names;
    private final ColumnWriter[] columns;

    private RowWriter(String[] names, ColumnWriter[] columns) {
        this.names = names;
        this.columns = columns;
    }

    static RowWriter of(ResultSetMetaData types) throws SQLException {
        int count = types.getColumnCount();
        String[] names = new String[count];
        ColumnWriter[] columns = new ColumnWriter[count];
        for (int i = 0; i < count; i++) {
            names[i] = types.getColumnLabel(i + 1);
            columns[i] = ColumnWriter.of(types, i + 1);
        }
        return new RowWriter(names, columns);
    }

    /** The number of columns. */
    int columns() {
        return columns.length;
    }

    void write(JsonGenerator json, ResultSet row) throws SQLException {
        json.writeStartObject();
        for (int i = 0; i < columns.length; i++) {
            json.writeName(names[i]);
            columns[i].write(json, row, i + 1);
        }
        json.writeEndObject();
    }
}
