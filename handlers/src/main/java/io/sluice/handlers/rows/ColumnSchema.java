package io.sluice.handlers.rows;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The JSON Schema (draft 2020-12) of a column's values as {@link ColumnWriter} writes them.
 *
 * @param name the name of the column
 * @param type the name of its type in the database, in lower case
 * @param schema of values that are not null
 * @param nullable whether values may be null; true unless the database excludes it
 */
public record ColumnSchema(String name, String type, Map<String, Object> schema, boolean nullable) {
    private static final String ARRAY_IN_POSTGRES = "_";
    /** The additions of H2 to the name of an element's type: parameters, and the array with its length. */
    private static final Pattern ARRAY_IN_H2 = Pattern.compile("\\([^)]*\\)| array(\\[\\d+])?");
    private static final List<String> NO_NUMBERS = List.of("NaN", "Infinity", "-Infinity");

    /**
     * Returns the schemas of all columns of a result. Blocks.
     *
     * @param sql the statement
     */
    public static List<ColumnSchema> of(ResultSetMetaData types, String sql) throws SQLException {
        var columns = new ArrayList<ColumnSchema>();
        for (int i = 1; i <= types.getColumnCount(); i++) {
            String type = String.valueOf(types.getColumnTypeName(i)).toLowerCase(Locale.ROOT);
            columns.add(new ColumnSchema(types.getColumnLabel(i), type,
                    schema(type, types.getColumnType(i), types.getPrecision(i)),
                    !Nullability.isNotNull(types, i, sql)));
        }
        return columns;
    }

    /** Returns the schema of a type by its name in the database, or by its JDBC type. */
    private static Map<String, Object> schema(String type, int jdbc, int precision) {
        return switch (type) {
            case "uuid" -> string("uuid");
            case "bit", "money", "time", "timetz", "interval" -> Map.of("type", "string");
            case "json", "jsonb" -> Map.of();
            case "null" -> Map.of(); // H2's, of a parameter that is a column by itself
            case "decfloat" -> orNoNumber(Map.of("type", "number"));
            case "bigint unsigned", "year" -> Map.of("type", "integer");
            case "timestamptz" -> string("date-time");
            case String name when name.startsWith("interval ") -> Map.of("type", "string");
            default -> jdbc == Types.ARRAY ? array(type) : byType(jdbc, precision);
        };
    }

    private static Map<String, Object> byType(int jdbc, int precision) {
        return switch (jdbc) {
            case Types.BIT, Types.BOOLEAN -> Map.of("type", "boolean");
            case Types.TINYINT, Types.SMALLINT -> typed("integer", "int16");
            case Types.INTEGER -> typed("integer", "int32");
            case Types.BIGINT -> typed("integer", "int64");
            case Types.REAL -> orNoNumber(typed("number", "float"));
            case Types.FLOAT, Types.DOUBLE -> orNoNumber(typed("number",
                    ColumnWriter.isSingle(jdbc, precision) ? "float" : "double"));
            // A type with a precision has a NaN, too, but nobody stores one on purpose.
            case Types.NUMERIC, Types.DECIMAL -> precision > 0 ? Map.of("type", "number")
                    : orNoNumber(Map.of("type", "number"));
            case Types.DATE -> string("date");
            case Types.TIMESTAMP_WITH_TIMEZONE -> string("date-time");
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB ->
                    ordered("type", "string", "contentEncoding", "base64");
            default -> Map.of("type", "string");
        };
    }

    private static Map<String, Object> typed(String type, String format) {
        return ordered("type", type, "format", format);
    }

    private static Map<String, Object> string(String format) {
        return typed("string", format);
    }

    /** JSON has no such numbers. */
    private static Map<String, Object> orNoNumber(Map<String, Object> number) {
        return Map.of("anyOf", List.of(number, Map.of("enum", NO_NUMBERS)));
    }

    /** Drivers tell the type of elements only by its name; elements may be arrays, and null. */
    private static Map<String, Object> array(String type) {
        String element = type.startsWith(ARRAY_IN_POSTGRES) ? type.substring(ARRAY_IN_POSTGRES.length())
                : ARRAY_IN_H2.matcher(type).replaceAll("");
        Map<String, Object> items = schema(element, ofName(element), type.contains("(") ? 1 : 0);
        Map<String, Object> nested = ordered("type", List.of("array", "null"), "items", Map.of());
        return ordered("type", "array", "items",
                items.isEmpty() ? items : Map.of("anyOf", List.of(items, nested)));
    }

    private static Map<String, Object> ordered(String first, Object value, String second, Object other) {
        var schema = new LinkedHashMap<String, Object>();
        schema.put(first, value);
        schema.put(second, other);
        return schema;
    }

    private static int ofName(String type) {
        return switch (type) {
            case "bool", "boolean" -> Types.BOOLEAN;
            case "int2", "smallint", "tinyint" -> Types.SMALLINT;
            case "int4", "integer" -> Types.INTEGER;
            case "int8", "bigint", "oid" -> Types.BIGINT;
            case "float4", "real" -> Types.REAL;
            case "float8", "double precision", "float" -> Types.DOUBLE;
            case "numeric", "decimal", "decfloat" -> Types.NUMERIC;
            case "date" -> Types.DATE;
            case "bytea", "binary varying", "varbinary" -> Types.VARBINARY;
            case "timestamp with time zone" -> Types.TIMESTAMP_WITH_TIMEZONE;
            default -> Types.OTHER;
        };
    }
}
