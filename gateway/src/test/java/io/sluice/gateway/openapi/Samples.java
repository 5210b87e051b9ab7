package io.sluice.gateway.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Requests that a document allows, made from that document alone. */
final class Samples {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final JsonMapper JSON = new JsonMapper();
    private static final String BOUNDARY = "bound";

    private Samples() {
    }

    /** The target of an operation, with all of its parameters. */
    static String target(String path, JsonNode operation) {
        String target = path;
        var query = new ArrayList<String>();
        for (JsonNode parameter : operation.path("parameters")) {
            String name = parameter.path("name").asString();
            String value = text(of(parameter.path("schema")));
            switch (parameter.path("in").asString()) {
                case "path" -> target = target.replace('{' + name + '}', value);
                case "query" -> query.add(encoded(name) + '=' + encoded(value));
                default -> { }
            }
        }
        return target + (query.isEmpty() ? "" : '?' + String.join("&", query));
    }

    static String text(JsonNode value) {
        return value.isArray() ? StreamSupport.stream(value.spliterator(), false).map(Samples::text)
                .collect(Collectors.joining(",")) : value.asString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    /** A value of a schema. */
    static JsonNode of(JsonNode schema) {
        if (schema.has("examples")) {
            return schema.path("examples").path(0);
        } else if (schema.has("default")) {
            return schema.path("default");
        } else if (schema.has("enum")) {
            return schema.path("enum").path(0);
        } else if (schema.has("anyOf") && !schema.has("type")) {
            return of(schema.path("anyOf").path(0));
        }
        JsonNode type = schema.path("type");
        return switch (type.isArray() ? type.path(0).asString() : type.asString("")) {
            case "object" -> object(schema);
            case "array" -> {
                ArrayNode array = NODES.arrayNode();
                yield array.add(of(schema.path("items")));
            }
            case "integer" -> NODES.numberNode(1);
            case "number" -> NODES.numberNode(1.5);
            case "boolean" -> NODES.booleanNode(true);
            default -> NODES.stringNode(string(schema));
        };
    }

    private static ObjectNode object(JsonNode schema) {
        ObjectNode object = NODES.objectNode();
        for (String name : schema.path("properties").propertyNames()) {
            object.set(name, of(schema.path("properties").path(name)));
        }
        return object;
    }

    private static String string(JsonNode schema) {
        if (schema.has("contentEncoding")) {
            return "3q2+7w==";
        }
        return switch (schema.path("format").asString("")) {
            case "date" -> "2026-01-31";
            case "date-time" -> "2026-01-31T10:00:00Z";
            case "uuid" -> "123e4567-e89b-12d3-a456-426614174000";
            case String _ when schema.path("pattern").asString("").contains("T") -> "2026-01-31T10:00:00";
            case String _ when schema.path("pattern").asString("").contains(":") -> "10:00:00";
            default -> "7";
        };
    }

    /** The body of an operation in one of its media types. */
    static String body(JsonNode operation, String mediaType) {
        JsonNode schema = operation.path("requestBody").path("content").path(mediaType).path("schema");
        return switch (mediaType) {
            case "application/json" -> JSON.writeValueAsString(of(schema));
            case "application/x-ndjson" -> JSON.writeValueAsString(of(operation
                    .at("/requestBody/content/application~1json/schema/items"))) + "\n";
            case "application/x-www-form-urlencoded" -> fields(schema).map(field ->
                    encoded(field.getKey()) + '=' + encoded(field.getValue()))
                    .collect(Collectors.joining("&"));
            case "multipart/form-data" -> fields(schema).map(field -> part(field.getKey(), field.getValue(),
                    schema.path("properties").path(field.getKey()).path("contentMediaType").asString("")
                            .equals("application/octet-stream")))
                    .collect(Collectors.joining("", "", "--" + BOUNDARY + "--\r\n"));
            default -> "text";
        };
    }

    /** The Content-Type of that body. */
    static String contentType(String mediaType) {
        return mediaType.startsWith("multipart/") ? mediaType + "; boundary=" + BOUNDARY : mediaType;
    }

    /** The fields of a form, as many with one name as an array has elements. */
    private static Stream<Map.Entry<String, String>> fields(JsonNode schema) {
        return of(schema).properties().stream().flatMap(field -> {
            JsonNode value = field.getValue();
            return (value.isArray() ? StreamSupport.stream(value.spliterator(), false) : Stream.of(value))
                    .map(each -> Map.entry(field.getKey(), each.asString()));
        });
    }

    private static String part(String name, String value, boolean isFile) {
        return "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + name + '"'
                + (isFile ? "; filename=a.bin" : "") + "\r\n\r\n" + value + "\r\n";
    }
}
