package io.sluice.gateway.openapi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** An Operation Object of OpenAPI, while it is made. Not thread-safe. */
final class Operation {
    /** OpenAPI ignores header parameters of these names. */
    private static final Set<String> IGNORED = Set.of("accept", "content-type", "authorization");

    private final List<Object> parameters = new ArrayList<>();
    /** The places and names of the parameters; those of headers in lower case. */
    private final Set<String> names = new HashSet<>();
    private final Map<String, Object> responses = new TreeMap<>();
    /** The content of responses by their statuses. */
    private final Map<String, Map<String, Object>> contents = new HashMap<>();
    private final Map<String, Object> headers = new LinkedHashMap<>();
    private String description = "";
    private Map<String, Object> body = Map.of();

    Operation describe(String text) {
        description = text;
        return this;
    }

    /**
     * Adds a parameter, unless OpenAPI ignores it or there is one of this place and name.
     *
     * @param in path, query or header
     * @param more further fields, each before its value
     */
    Operation parameter(String in, String name, boolean required, Map<String, Object> schema,
                        Object... more) {
        String unique = in.equals("header") ? name.toLowerCase(Locale.ROOT) : name;
        if (in.equals("header") && IGNORED.contains(unique) || !names.add(in + ' ' + unique)) {
            return this;
        }
        Map<String, Object> parameter = Schemas.of("name", name, "in", in);
        if (required) {
            parameter.put("required", true);
        }
        parameter.putAll(Schemas.of(more));
        parameter.put("schema", schema);
        parameters.add(parameter);
        return this;
    }

    /** Sets the body of requests. */
    Operation body(String mediaType, boolean required, Map<String, Object> schema) {
        return body(required, Map.of(mediaType, schema));
    }

    /**
     * Sets the body of requests.
     *
     * @param content schemas by media types
     */
    Operation body(boolean required, Map<String, Map<String, Object>> content) {
        var bodies = new LinkedHashMap<String, Object>();
        content.forEach((type, schema) -> bodies.put(type, Map.of("schema", schema)));
        body = Schemas.of("required", required, "content", bodies);
        return this;
    }

    /** Adds a header of the responses that are added after it. */
    Operation header(String name, String text, Map<String, Object> schema) {
        headers.put(name, Responses.header(text, schema));
        return this;
    }

    /**
     * Adds a response.
     *
     * @param content schemas by media types
     */
    Operation response(String status, String text, Map<String, Map<String, Object>> content) {
        Map<String, Object> response = Schemas.of("description", text);
        if (!headers.isEmpty()) {
            response.put("headers", new LinkedHashMap<>(headers));
        }
        if (!content.isEmpty()) {
            var bodies = new LinkedHashMap<String, Object>();
            content.forEach((type, schema) ->
                    bodies.put(type, schema.isEmpty() ? Map.of() : Map.of("schema", schema)));
            response.put("content", bodies);
            contents.put(status, bodies);
        }
        responses.put(status, response);
        return this;
    }

    /** Adds the problems of these statuses. A response with content gets the problem as another content. */
    Operation problems(Iterable<Integer> statuses) {
        statuses.forEach(status -> {
            String key = String.valueOf(status);
            Map<String, Object> content = contents.get(key);
            if (content == null) {
                responses.putIfAbsent(key, Responses.reference(status));
            } else {
                content.putIfAbsent(Responses.PROBLEM, Responses.PROBLEM_CONTENT);
            }
        });
        return this;
    }

    /** Adds the problems of all statuses that have no response. */
    Operation otherProblems(String text) {
        responses.put("default", Responses.problem(text));
        return this;
    }

    /** Adds the responses that others make, with any status and body. */
    Operation others(String text) {
        responses.put("default", Schemas.of("description", text, "content", Map.of("*/*", Map.of())));
        return this;
    }

    /** Returns the members of the Operation Object that differ by the kind of route. */
    Map<String, Object> toMap() {
        var members = new LinkedHashMap<String, Object>();
        if (!description.isEmpty()) {
            members.put("description", description);
        }
        if (!parameters.isEmpty()) {
            members.put("parameters", parameters);
        }
        if (!body.isEmpty()) {
            members.put("requestBody", body);
        }
        members.put("responses", responses);
        return members;
    }
}
