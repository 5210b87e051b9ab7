package io.sluice.gateway.openapi;

import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.topic.TopicsConfig;
import io.sluice.config.type.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Describes routes by their kind, except those of the kind {@code query}. */
final class KindOperation {
    private static final String JSON = "application/json";
    private static final String ANY = "*/*";
    /** Without a schema: some tools would apply it to each event. */
    static final String EVENTS = "text/event-stream";
    private static final Map<String, Object> TEXT = Map.of("type", "string");
    private static final Set<Method> WITH_BODY = Set.of(Method.POST, Method.PUT, Method.PATCH);

    private KindOperation() {
    }

    /**
     * Describes a route for a method.
     *
     * @param topics by their names
     */
    static Operation of(RouteConfig route, Method method, Map<String, TopicsConfig> topics) {
        var operation = new Operation();
        return switch (route.handler()) {
            case HandlerConfig.Text text -> operation.response(String.valueOf(text.status()), "A fixed text",
                    content(Map.of(text.contentType(), text.contentType().startsWith("text/")
                            ? Map.of("const", text.text()) : Map.of()), text.status()));
            case HandlerConfig.Json json -> operation.response(String.valueOf(json.status()),
                    "A fixed object", content(Map.of(JSON, fixed(json)), json.status()));
            case HandlerConfig.Echo _ -> echo(operation, method);
            case HandlerConfig.Index _ -> operation.response("200", "The routes", Map.of(JSON, object(
                    "routes", Schemas.of("type", "array", "items", object("name", TEXT, "path", TEXT,
                            "methods", Schemas.of("type", "array", "items", TEXT), "handler", TEXT)))));
            case HandlerConfig.Openapi _ -> openapi(operation, route);
            case HandlerConfig.Cpu cpu -> operation
                    .parameter("query", cpu.parameter(), false, number(cpu.maxN(), cpu.defaultN()))
                    .response("200", "The result", Map.of(JSON, object("n", integer(), "result", integer())));
            case HandlerConfig.Delay delay -> operation
                    .parameter("query", delay.parameter(), false,
                            number(delay.max().toMillis(), delay.duration().toMillis()))
                    .response("200", "The wait is over", Map.of(JSON, delay.fibonacci() > 0
                            ? object("delayMs", integer(), "fibonacci", integer())
                            : object("delayMs", integer())));
            case HandlerConfig.Query _ -> throw new IllegalArgumentException("a query");
            case HandlerConfig.Files files -> files(operation, files);
            case HandlerConfig.Proxy _ ->
                    anything(operation, method, "The response of the upstream, or a problem of the gateway");
            case HandlerConfig.Plugin _ ->
                    anything(operation, method, "The response of a plug-in, or a problem of the gateway");
            case HandlerConfig.Events events -> events(withPresence(operation, topics.get(events.topics())));
            case HandlerConfig.Publish _ -> publish(operation).problems(List.of(403));
            case HandlerConfig.Presence _ -> operation.response("200", "Who is subscribed to the topic",
                            Map.of(JSON, object("count", integer(), "anonymous", integer(), "members",
                                    Schemas.of("type", "array", "items", TEXT),
                                    "truncated", Map.of("type", "boolean"))))
                    .problems(List.of(403));
            case HandlerConfig.ForSockets sockets -> (sockets instanceof HandlerConfig.WsTopic topic
                    ? withPresence(operation, topics.get(topic.topics())) : operation)
                    .describe("Opens a WebSocket (RFC 6455; over HTTP/2 by RFC 8441).")
                    .response("101", "The connection is a WebSocket", Map.of())
                    .problems(List.of(403, 426, 501));
        };
    }

    private static Operation echo(Operation operation, Method method) {
        if (WITH_BODY.contains(method)) {
            operation.body(ANY, false, Map.of());
        }
        return operation.response("200", "The body; without one, a description of the request as JSON",
                Map.of(ANY, Map.of()));
    }

    private static Operation openapi(Operation operation, RouteConfig route) {
        Map<String, Object> document = object("openapi", TEXT, "info", Map.of("type", "object"),
                "paths", Map.of("type", "object"));
        operation.parameter("header", "If-None-Match", false, Schemas.HEADER)
                .response("304", "The client has this state", Map.of())
                .problems(List.of(412));
        return route.isOpenapiPage() ? operation
                        .response("200", "This document, or a file of its page", Map.of(ANY, Map.of()))
                        .response("308", "The page is at the path with a slash",
                                Map.of(Responses.PROBLEM, Map.of()))
                        .problems(List.of(404))
                : operation.response("200", "This document", Map.of(JSON, document));
    }

    private static Operation files(Operation operation, HandlerConfig.Files files) {
        operation.header("ETag", "The entity tag of the file", TEXT);
        files.cacheControl().ifPresent(_ ->
                operation.header("Cache-Control", "Whether it may be kept", TEXT));
        return operation.parameter("header", "If-None-Match", false, Schemas.HEADER)
                .parameter("header", "Range", false, Schemas.HEADER)
                .response("200", "The file", Map.of(ANY, Map.of()))
                .response("206", "A part of the file", Map.of(ANY, Map.of()))
                .response("301", "A directory: its path ends with a slash", Map.of())
                .response("304", "The client has this file", Map.of())
                .problems(List.of(404, 412, 416));
    }

    private static Operation anything(Operation operation, Method method, String text) {
        if (WITH_BODY.contains(method)) {
            operation.body(ANY, false, Map.of());
        }
        return operation.others(text);
    }

    private static Operation events(Operation operation) {
        Map<String, Object> message = Schemas.of("type", "object", "properties", Schemas.of("id", TEXT,
                "data", TEXT, "encoding", Map.of("const", "base64"), "resync", Map.of("const", true)),
                "required", List.of("id"));
        Map<String, Object> poll = object("messages", Schemas.of("type", "array", "items", message),
                "last", TEXT);
        return operation
                .describe("Server-sent events for Accept: text/event-stream, else a poll.")
                .parameter("query", "after", false, TEXT, "description",
                        "The position of the last message that the client has")
                .parameter("header", "Last-Event-ID", false, Schemas.HEADER)
                .response("200", "Messages, from the position on", new TreeMap<>(
                        Map.of(EVENTS, Map.of(), JSON, poll)))
                .problems(List.of(403));
    }

    private static Operation withPresence(Operation operation, @Nullable TopicsConfig topics) {
        return topics == null || topics.presence().isEmpty() ? operation : operation.parameter("query",
                "presence", false, Schemas.of("type", "boolean", "default", false), "description",
                "Whether to tell who is subscribed. Not for a poll");
    }

    private static Operation publish(Operation operation) {
        Map<String, Object> published = object("subscribers", integer(), "id", TEXT);
        published.put("required", List.of("subscribers"));
        var messages = new LinkedHashMap<String, Map<String, Object>>();
        messages.put("text/plain", Map.of("type", "string")); // any other type is one of texts in UTF-8, too
        messages.put(JSON, Map.of());
        messages.put("application/octet-stream", Map.of());
        return operation.parameter("header", "Idempotency-Key", false, Schemas.IDEMPOTENCY_KEY)
                .body(false, messages)
                .response("200", "The message has its place in the topic", Map.of(JSON, published));
    }

    private static Map<String, Object> fixed(HandlerConfig.Json json) {
        var members = new LinkedHashMap<String, Object>();
        json.timestamp().ifPresent(name -> members.put(name, integer()));
        json.body().forEach((name, value) -> members.put(name, fixed(value)));
        return object(members);
    }

    /** Some generators of clients have no constants but scalars. */
    private static Map<String, Object> fixed(Object value) {
        if (value instanceof Map<?, ?> object) {
            var members = new LinkedHashMap<String, Object>();
            object.forEach((name, member) -> members.put((String) name, fixed(member)));
            return object(members);
        }
        return value instanceof List<?> ? Schemas.of("type", "array", "items", Map.of())
                : Schemas.of("const", value);
    }

    /** Responses of some statuses have no content. */
    static Map<String, Map<String, Object>> content(Map<String, Map<String, Object>> content, int status) {
        return status == 204 || status == 205 || status == 304 ? Map.of() : content;
    }

    private static Map<String, Object> number(long max, long usual) {
        return Schemas.of("type", "integer", "minimum", 0, "maximum", max, "default", usual);
    }

    private static Map<String, Object> integer() {
        return Map.of("type", "integer");
    }

    /** Returns the schema of an object with these members, all of them required. */
    private static Map<String, Object> object(Object... members) {
        return object(Schemas.of(members));
    }

    private static Map<String, Object> object(Map<String, Object> properties) {
        return Schemas.of("type", "object", "properties", properties,
                "required", List.copyOf(properties.keySet()));
    }
}
