package io.sluice.gateway.openapi;

import io.sluice.config.HandlerConfig;
import io.sluice.config.selection.PagingConfig;
import io.sluice.config.type.EtagSource;
import io.sluice.config.write.WriteConfig;
import io.sluice.handlers.rows.ColumnSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Describes the responses of a query that are no problems. */
final class QueryResult {
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final Map<String, Object> TEXT = Map.of("type", "string");

    private final HandlerConfig.Query query;
    private final @Nullable List<ColumnSchema> columns;
    private final Operation operation;

    /**
     * Creates a description.
     *
     * @param columns of the result; empty if there is none, null if that is not known
     */
    QueryResult(HandlerConfig.Query query, @Nullable List<ColumnSchema> columns, Operation operation) {
        this.query = query;
        this.columns = columns;
        this.operation = operation;
    }

    /**
     * Adds the responses.
     *
     * @param isRead whether the method is GET or HEAD
     */
    void add(boolean isRead) {
        if (query.bulk().isPresent()) {
            operation.response("200", "The number of rows in the body",
                    Map.of(QueryBody.JSON, count("rows")));
            return;
        }
        if (query.write().flatMap(WriteConfig::idempotency).isPresent()) {
            operation.header("Idempotent-Replayed", "Whether this is the response to an earlier request "
                    + "with the same key; absent if not", Map.of("type", "boolean"));
        }
        if (columns != null && columns.isEmpty()) {
            addSuccess("The number of changed rows", Map.of(QueryBody.JSON, count("updated")));
            return;
        }
        addHeaders();
        if (isRead && query.etag().isPresent()) {
            operation.parameter("header", "If-None-Match", false, Schemas.HEADER);
            operation.response("304", "The row has one of the entity tags of If-None-Match", Map.of());
        }
        if (query.contentType().isPresent()) {
            String type = query.contentType().get();
            operation.response("204", "The value is NULL", Map.of());
            addSuccess("The value", Map.of(type, type.startsWith("text/") ? TEXT : Map.of()));
        } else if (query.single()) {
            addRows("The row", row());
        } else {
            addListHeaders();
            addRows("The rows", Schemas.of("type", "array", "items", row(),
                    "maxItems", query.paging().map(PagingConfig::maxLimit).orElse(query.rowLimit())));
        }
    }

    private void addHeaders() {
        query.cacheControl().ifPresent(_ ->
                operation.header("Cache-Control", "Whether it may be kept", TEXT));
        if (query.etag().isPresent()) {
            operation.header("ETag", "The entity tag of the row", TEXT);
        }
        query.write().flatMap(WriteConfig::location).ifPresent(_ -> operation.header("Location",
                "The path of the row", Schemas.of("type", "string", "format", "uri-reference")));
    }

    private void addListHeaders() {
        query.paging().ifPresentOrElse(paging -> {
            operation.header("Link", "The next page, by rel=\"next\"; absent on the last one. Of a large "
                    + "response it is a trailer", TEXT);
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
        content.put(QueryBody.JSON,
                mayReturnNothing ? Map.of("anyOf", List.of(json, count("updated"))) : json);
        content.put(QueryBody.NDJSON, Map.of());
        content.put("text/csv", TEXT);
        String described = text + ". With Accept: application/json;IEEE754Compatible=true, integers "
                + "of 64 bits and decimals are strings";
        if (query.live().isPresent()) {
            content.put(KindOperation.EVENTS, Map.of());
            described += ". With Accept: text/event-stream, an event has all of it, and another one follows "
                    + "when it has changed";
        }
        addSuccess(described, content);
    }

    /** Adds the response to a change, and the one to a request that changes nothing. */
    private void addSuccess(String text, Map<String, Map<String, Object>> content) {
        int status = query.write().map(WriteConfig::status).orElse(OK);
        int none = query.write().filter(_ -> query.sql().change().isPresent())
                .map(WriteConfig::none).orElse(status);
        if (none != status && (none == OK || none == NO_CONTENT)) {
            add(none, "Nothing has changed", content);
        }
        add(status, text, content);
    }

    private void add(int status, String text, Map<String, Map<String, Object>> content) {
        operation.response(String.valueOf(status), text, KindOperation.content(content, status));
    }

    private static Map<String, Object> count(String name) {
        return Schemas.of("type", "object", "properties",
                Map.of(name, Schemas.of("type", "integer", "minimum", 0)), "required", List.of(name));
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
}
