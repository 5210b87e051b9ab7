package io.sluice.handlers.http;

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
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;

/** Writes rows as JSON objects; how each column is written is decided once, from its SQL type. */
final class RowWriter {
    private final String[] names;
    private final ColumnWriter[] columns;

    @FunctionalInterface
    private interface ColumnWriter {
        /** Writes a column of the current row that may be NULL. */
        void write(JsonGenerator json, ResultSet row, int column) throws SQLException;
    }

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
            columns[i] = column(types.getColumnType(i + 1),
                    types.getColumnTypeName(i + 1).toLowerCase(Locale.ROOT));
        }
        return new RowWriter(names, columns);
    }

    void write(JsonGenerator json, ResultSet row) throws SQLException {
        json.writeStartObject();
        for (int i = 0; i < columns.length; i++) {
            json.writeName(names[i]);
            columns[i].write(json, row, i + 1);
        }
        json.writeEndObject();
    }

    private static ColumnWriter column(int type, String typeName) {
        // Drivers report these under types of other things.
        switch (typeName) {
            case "uuid" -> {
                return RowWriter::writeText;
            }
            case "json", "jsonb" -> {
                return (json, row, i) -> {
                    String value = row.getString(i);
                    if (value == null) {
                        json.writeNull();
                    } else {
                        json.writeRawValue(value);
                    }
                };
            }
            case "timestamptz" -> {
                return object(OffsetDateTime.class, DateTimeFormatter.ISO_OFFSET_DATE_TIME::format);
            }
            default -> { }
        }
        return switch (type) {
            case Types.BIT, Types.BOOLEAN -> (json, row, i) -> {
                boolean value = row.getBoolean(i);
                if (row.wasNull()) {
                    json.writeNull();
                } else {
                    json.writeBoolean(value);
                }
            };
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT -> (json, row, i) -> {
                long value = row.getLong(i);
                if (row.wasNull()) {
                    json.writeNull();
                } else {
                    json.writeNumber(value);
                }
            };
            case Types.REAL, Types.FLOAT, Types.DOUBLE -> (json, row, i) -> {
                double value = row.getDouble(i);
                if (row.wasNull()) {
                    json.writeNull();
                } else {
                    json.writeNumber(value);
                }
            };
            case Types.NUMERIC, Types.DECIMAL -> RowWriter::writeDecimal;
            case Types.DATE -> object(LocalDate.class, LocalDate::toString);
            case Types.TIME -> object(LocalTime.class, DateTimeFormatter.ISO_LOCAL_TIME::format);
            case Types.TIMESTAMP ->
                    object(LocalDateTime.class, DateTimeFormatter.ISO_LOCAL_DATE_TIME::format);
            case Types.TIMESTAMP_WITH_TIMEZONE ->
                    object(OffsetDateTime.class, DateTimeFormatter.ISO_OFFSET_DATE_TIME::format);
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> (json, row, i) -> {
                byte[] value = row.getBytes(i);
                if (value == null) {
                    json.writeNull();
                } else {
                    json.writeBinary(value);
                }
            };
            case Types.ARRAY -> RowWriter::writeArray;
            default -> RowWriter::writeText;
        };
    }

    private static <T> ColumnWriter object(Class<T> type, Function<T, String> format) {
        return (json, row, i) -> {
            T value = row.getObject(i, type);
            if (value == null) {
                json.writeNull();
            } else {
                json.writeString(format.apply(value));
            }
        };
    }

    private static void writeText(JsonGenerator json, ResultSet row, int column) throws SQLException {
        String value = row.getString(column);
        if (value == null) {
            json.writeNull();
        } else {
            json.writeString(value);
        }
    }

    /** PostgreSQL's numeric knows NaN and infinity, which are no BigDecimal and no JSON number. */
    private static void writeDecimal(JsonGenerator json, ResultSet row, int column) throws SQLException {
        String value = row.getString(column);
        if (value == null) {
            json.writeNull();
        } else if (Character.isLetter(value.charAt(value.length() - 1))) {
            json.writeString(value);
        } else {
            json.writeNumber(new BigDecimal(value).toPlainString());
        }
    }

    private static void writeArray(JsonGenerator json, ResultSet row, int column) throws SQLException {
        Array array = row.getArray(column);
        if (array == null) {
            json.writeNull();
            return;
        }
        writeElements(json, (Object[]) array.getArray());
        array.free();
    }

    private static void writeElements(JsonGenerator json, Object[] elements) {
        json.writeStartArray();
        for (Object element : elements) {
            switch (element) {
                case null -> json.writeNull();
                case Object[] nested -> writeElements(json, nested);
                case Boolean bool -> json.writeBoolean(bool);
                case Double number -> json.writeNumber(number);
                case Number number -> json.writeNumber(number.toString());
                default -> json.writeString(element.toString());
            }
        }
        json.writeEndArray();
    }
}
