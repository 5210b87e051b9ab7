package io.sluice.gateway.openapi;

import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.config.RouteConfig;
import io.sluice.config.selection.PagingConfig;
import io.sluice.config.type.EtagSource;
import io.sluice.handlers.rows.ColumnSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Describes routes of the kind {@code query}. */
final class QueryOperation {
    /** OpenAPI ignores parameters of these names. */
    private static final Set<String> RESERVED = Set.of("accept", "content-type", "authorization");
    private static final int MAX_MEMBERS = 1024;

    private final RouteConfig route;
    private final HandlerConfig.Query query;
    private final boolean postgres;
    /** Empty if the statement has no result; null if that is not known. */
    private final @Nullable List<ColumnSchema> columns;
    private final Operation operation = new Operation();

    /**
     * Begins the description of a route.
     *
     * @param postgres whether the database is PostgreSQL
     * @param columns of the result; empty if there is none, null if that is not known
     */
    QueryOperation(RouteConfig route, HandlerConfig.Query query, boolean postgres,
                   @Nullable List<ColumnSchema> columns) {
        this.route = route;
        this.query = query;
        this.postgres = postgres;
        this.columns = columns;
    }

    /**
     * Describes the route for a method.
     *
     * @param isRead whether the method is GET or HEAD
     */
    Operation of(boolean isRead) {
        query.parameters().forEach(this::addParameter);
        addBody();
        new SelectionParameters(query, postgres, columns == null ? List.of() : columns).addTo(operation);
        addResult(isRead);
        addProblems(isRead);
        return operation;
    }

    /** Returns whether a request without a token gets 401, as the caller is a parameter. */
    static boolean needsCaller(HandlerConfig.Query query) {
        return query.parameters().values().stream().anyMatch(parameter ->
                parameter.from().filter(Source.CALLER::equals).isPresent() && parameter.required());
    }

    private void addParameter(String name, ParameterConfig parameter) {
        boolean required = parameter.required() && parameter.defaultText().isEmpty();
        Map<String, Object> schema = Schemas.ofText(parameter, postgres);
        switch (source(name, parameter)) {
            case QUERY_STRING -> operation.parameter("query", name, required, schema);
            case HEADER -> {
                String header = parameter.headerOf(name);
                if (!RESERVED.contains(header.toLowerCase(Locale.ROOT))) {
                    operation.parameter("header", header, required, schema);
                }
            }
            case IF_MATCH -> operation.parameter("header", "If-Match", required, Map.of("type", "string"));
            case PATH, BODY, CALLER -> { }
        }
    }

    private Source source(String name, ParameterConfig parameter) {
        return parameter.from().orElse(route.path().captures(name) ? Source.PATH : Source.QUERY_STRING);
    }

    private void addBody() {
        var members = new LinkedHashMap<String, Object>();
        var required = new TreeSet<String>();
        query.parameters().forEach((name, parameter) -> {
            if (source(name, parameter) == Source.BODY) {
                members.put(name, Schemas.ofMember(parameter, postgres));
                if (parameter.required() && parameter.defaultText().isEmpty()) {
                    required.add(name);
                }
            }
        });
        if (members.isEmpty()) {
            return;
        }
        Map<String, Object> schema = Schemas.of("type", "object", "properties", members);
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        schema.put("maxProperties", MAX_MEMBERS);
        schema.put("additionalProperties", Map.of("type", List.of("string", "number", "boolean", "null")));
        operation.body("application/json", !required.isEmpty(), schema);
    }

    private void addResult(boolean isRead) {
        if (columns != null && columns.isEmpty()) {
            operation.response("200", "The number of changed rows", Map.of("application/json", updated()));
            return;
        }
        query.cacheControl().ifPresent(_ ->
                operation.header("Cache-Control", "Whether it may be kept", Map.of("type", "string")));
        if (query.etag().isPresent()) {
            operation.header("ETag", "The entity tag of the row", Map.of("type", "string"));
        }
        if (isRead && query.etag().isPresent()) {
            operation.parameter("header", "If-None-Match", false, Map.of("type", "string"));
            operation.response("304", "The row has one of the entity tags of If-None-Match", Map.of());
        }
        if (query.contentType().isPresent()) {
            String type = query.contentType().get();
            operation.response("204", "The value is NULL", Map.of());
            operation.response("200", "The value", Map.of(type, type.startsWith("text/")
                    ? Map.of("type", "string") : Map.of()));
        } else if (query.single()) {
            addRows("The row", row());
        } else {
            addHeaders();
            addRows("The rows", Schemas.of("type", "array", "items", row(),
                    "maxItems", query.paging().map(PagingConfig::maxLimit).orElse(query.rowLimit())));
        }
    }

    private void addHeaders() {
        query.paging().ifPresentOrElse(paging -> {
            operation.header("Link", "The next page, by rel=\"next\"; absent on the last one. Of a large "
                    + "response it is a trailer", Map.of("type", "string"));
            paging.count().ifPresent(_ -> operation.header("X-Total-Count",
                    "The number of rows in all pages", Schemas.of("type", "integer", "minimum", 0)));
        }, () -> {
            operation.header("Row-Limit", "The most rows of a response", Schemas.of(
                    "type", "integer", "minimum", query.rowLimit(), "maximum", query.rowLimit()));
            operation.header("Truncated", "Whether there are more rows. Of a large response it is a "
                    + "trailer", Map.of("type", "boolean"));
        });
    }

    private void addRows(String text, Map<String, Object> json) {
        boolean mayReturnNothing = columns == null && !query.sql().isSelect();
        var content = new LinkedHashMap<String, Map<String, Object>>();
        content.put("application/json",
                mayReturnNothing ? Map.of("anyOf", List.of(json, updated())) : json);
        content.put("application/x-ndjson", Map.of());
        content.put("text/csv", Map.of("type", "string"));
        operation.response("200", text + ". With Accept: application/json;IEEE754Compatible=true, integers "
                + "of 64 bits and decimals are strings", content);
    }

    private static Map<String, Object> updated() {
        return Schemas.of("type", "object", "properties",
                Map.of("updated", Schemas.of("type", "integer", "minimum", 0)),
                "required", List.of("updated"));
    }

    private Map<String, Object> row() {
        Map<String, Object> row = Schemas.of("type", "object");
        if (columns == null) {
            return row;
        }
        String tag = query.etag().flatMap(EtagSource::column).orElse(null);
        var properties = new LinkedHashMap<String, Object>();
        columns.stream().filter(column -> !column.name().equals(tag)).forEach(column ->
                properties.put(column.name(), column.nullable() ? Schemas.orNull(column.schema())
                        : column.schema()));
        row.put("properties", properties);
        row.put("required", properties.keySet());
        row.put("additionalProperties", false);
        return row;
    }

    private void addProblems(boolean isRead) {
        var statuses = new TreeSet<>(Set.of(409, 422, 504));
        query.errors().values().forEach(error -> statuses.add(error.status()));
        if (query.single()) {
            statuses.add(404);
        }
        if (query.contentType().isEmpty()) {
            statuses.add(406);
        }
        if (operation.hasBody()) {
            statuses.add(415);
        }
        if (isRead && query.etag().isPresent()) {
            statuses.add(412);
        }
        if (needsCaller(query)) {
            statuses.add(401);
        }
        operation.problems(statuses);
    }
}
