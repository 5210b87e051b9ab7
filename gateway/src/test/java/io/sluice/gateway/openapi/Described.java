package io.sluice.gateway.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A document of OpenAPI, by which answers are checked. */
record Described(JsonNode json) {
    static final JsonMapper JSON = new JsonMapper();
    static final SchemaRegistry SCHEMAS =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    JsonNode operation(String path, String method) {
        return json.path("paths").path(path).path(method);
    }

    JsonNode responses(String path, String method) {
        return operation(path, method).path("responses");
    }

    List<String> names(String path, String method) {
        return operation(path, method).path("parameters").findValues("name").stream()
                .map(JsonNode::asString).toList();
    }

    /** Checks an answer by the operation of its request. */
    void check(HttpResponse<String> answer, JsonNode operation, String method) {
        JsonNode responses = operation.path("responses");
        JsonNode response = responses.path(responses.has(String.valueOf(answer.statusCode()))
                ? String.valueOf(answer.statusCode()) : "default");
        assertThat(response.isObject()).as("status %d: %s", answer.statusCode(), answer.body()).isTrue();
        if (response.has("$ref")) {
            response = json.at(response.path("$ref").asString().substring(1));
        }
        for (String header : response.path("headers").propertyNames()) {
            if (Set.of("Link", "Truncated", "WWW-Authenticate", "Idempotent-Replayed").contains(header)) {
                continue; // which depend on the rows, or on the cause
            }
            assertThat(answer.headers().firstValue(header)).as(header).isPresent();
        }
        response.path("headers").properties().forEach(header -> answer.headers().firstValue(header.getKey())
                .ifPresent(value -> checkHeader(value, header.getValue().path("schema"))));
        if (method.equals("head") || !response.has("content")) {
            assertThat(answer.body()).isEmpty();
            return;
        }
        String type = answer.headers().firstValue("content-type").orElseThrow().replaceAll(";.*", "");
        JsonNode content = response.path("content");
        assertThat(content.has(type) || content.has("*/*") || content.has(type + "; charset=utf-8"))
                .as("%s of %s", type, content).isTrue();
        JsonNode schema = content.path(type).path("schema");
        if (type.endsWith("json") && schema.isObject()) {
            var withComponents = (ObjectNode) schema.deepCopy();
            withComponents.set("components", json.path("components"));
            assertThat(SCHEMAS.getSchema(withComponents).validate(JSON.readTree(answer.body())))
                    .as(answer.body()).isEmpty();
        }
    }

    private static void checkHeader(String value, JsonNode schema) {
        boolean isText = schema.path("type").asString("string").equals("string");
        assertThat(SCHEMAS.getSchema(schema).validate(isText ? JSON.getNodeFactory().stringNode(value)
                : JSON.readTree(value))).as(value).isEmpty();
    }
}
