package io.sluice.gateway.openapi;

import io.sluice.config.HandlerConfig;
import io.sluice.config.selection.FilterOperator;
import io.sluice.config.selection.SortConfig;
import io.sluice.config.type.ScalarType;
import io.sluice.handlers.rows.ColumnSchema;
import io.sluice.handlers.selection.SelectionRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The parameters by which clients select rows: {@code limit}, {@code sort}, and filters. A cursor is none of
 * them, since clients cannot make one: they follow {@code Link}.
 */
final class SelectionParameters {
    private final HandlerConfig.Query query;
    private final Schemas schemas;
    private final List<ColumnSchema> columns;

    /**
     * Creates the parameters of a query.
     *
     * @param columns of the result; empty if they are not known
     */
    SelectionParameters(HandlerConfig.Query query, Schemas schemas, List<ColumnSchema> columns) {
        this.query = query;
        this.schemas = schemas;
        this.columns = columns;
    }

    void addTo(Operation operation) {
        query.paging().ifPresent(paging -> operation.parameter("query", "limit", false, Schemas.of(
                "type", "integer", "minimum", 1, "maximum", paging.maxLimit(), "default", paging.limit())));
        query.sort().ifPresent(sort -> operation.parameter("query", "sort", false, sort(sort),
                "description", "Columns to sort by; - before one for the largest first",
                "style", "form", "explode", false));
        query.filter().ifPresent(filter -> filter.forEach((column, operators) ->
                operators.stream().sorted().forEach(operator -> addFilter(column, operator, operation))));
    }

    private static Map<String, Object> sort(SortConfig sort) {
        List<String> keys = sort.allowed().stream()
                .flatMap(column -> List.of(column, '-' + column).stream()).toList();
        List<Object> twice = new ArrayList<>(sort.allowed().stream().map(column -> Map.of("allOf", List.of(
                Map.of("contains", Map.of("const", column)),
                Map.of("contains", Map.of("const", '-' + column))))).toList());
        return Schemas.of("type", "array", "items", Schemas.of("type", "string", "enum", keys),
                "minItems", 1, "maxItems", SelectionRules.MAX_SORT_KEYS, "uniqueItems", true,
                "not", Map.of("anyOf", twice));
    }

    private void addFilter(String column, FilterOperator operator, Operation operation) {
        String name = column + '[' + operator.name().toLowerCase(Locale.ROOT) + ']';
        switch (operator) {
            case IN -> operation.parameter("query", name, false, Schemas.of("type", "array",
                    "items", value(column), "minItems", 1, "maxItems", SelectionRules.MAX_FILTER_VALUES),
                    "style", "form", "explode", false);
            case LIKE -> operation.parameter("query", name, false, schemas.ofPattern());
            case EQ -> {
                operation.parameter("query", name, false, value(column));
                operation.parameter("query", column, false, value(column));
            }
            default -> operation.parameter("query", name, false, value(column));
        }
    }

    /** Returns the schema of values to which a column is compared. */
    private Map<String, Object> value(String column) {
        return columns.stream().filter(each -> each.name().equals(column)).findFirst()
                .map(this::value).orElseGet(() -> schemas.ofText(ScalarType.TEXT));
    }

    private Map<String, Object> value(ColumnSchema column) {
        Map<String, Object> schema = column.schema();
        if (schema.get("anyOf") instanceof List<?> any && any.getFirst() instanceof Map<?, ?> number) {
            return Map.of("type", number.get("type"));
        }
        Object type = schema.getOrDefault("type", "");
        Object format = schema.getOrDefault("format", "");
        if (type.equals("integer")) {
            return format.equals("int16") ? Schemas.of("type", "integer", "format", "int16",
                    "minimum", Short.MIN_VALUE + 0, "maximum", Short.MAX_VALUE + 0)
                    : schemas.ofText(format.equals("int64") ? ScalarType.LONG : ScalarType.INT);
        }
        if (format.equals("date-time")) {
            return schemas.ofText(ScalarType.TIMESTAMPTZ);
        }
        if (schema.containsKey("contentEncoding")) {
            return schemas.ofText(ScalarType.BYTEA);
        }
        if (Set.of("number", "boolean").contains(type) || !format.equals("") || schema.containsKey("enum")) {
            return schema;
        }
        return switch (column.type()) {
            case "time" -> schemas.ofText(ScalarType.TIME);
            case "timestamp", "datetime" -> schemas.ofText(ScalarType.TIMESTAMP);
            default -> schemas.ofText(ScalarType.TEXT);
        };
    }
}
