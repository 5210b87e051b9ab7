package io.sluice.gateway.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.sluice.gateway.RunningGateway;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The document by an independent validator, and the routes by the document. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenapiIT {
    private static final JsonMapper JSON = new JsonMapper();
    private static final SchemaRegistry SCHEMAS =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private RunningGateway gateway;
    private JsonNode document;

    @BeforeAll
    void start() throws Exception {
        gateway = RunningGateway.start("include classpath(\"openapi.conf\")");
        document = JSON.readTree(gateway.get("/openapi.json").body());
    }

    @AfterAll
    void stop() {
        gateway.close();
    }

    @Test
    void theDocumentIsValid() throws Exception {
        try (InputStream schema = getClass().getResourceAsStream("/openapi-3.1-schema.json")) {
            assertThat(SCHEMAS.getSchema(JSON.readTree(schema)).validate(document)).isEmpty();
        }
        var schemas = new ArrayList<JsonNode>(document.findValues("schema"));
        schemas.add(document.at("/components/schemas/Problem"));
        Schema meta = SCHEMAS.getSchema("{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}");
        assertThat(schemas).hasSizeGreaterThan(50)
                .allSatisfy(schema -> assertThat(meta.validate(schema)).as(schema.toString()).isEmpty());
        assertThat(document.at("/info/title").asString()).isEqualTo("Sample");
        assertThat(document.at("/info/version").asString()).isEqualTo("2.1.0");
    }

    Stream<Arguments> operations() {
        return document.path("paths").propertyNames().stream().flatMap(path ->
                document.path("paths").path(path).propertyNames().stream()
                        .map(method -> Arguments.of(method, path)));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void anOperationAnswersAsTheDocumentSays(String method, String path) throws Exception {
        JsonNode operation = document.path("paths").path(path).path(method);
        HttpRequest.Builder request = gateway.request(Samples.target(path, operation))
                .header("Accept", "application/json, */*;q=0.1");
        for (JsonNode parameter : operation.path("parameters")) {
            if (parameter.path("in").asString().equals("header")) {
                request.header(parameter.path("name").asString(),
                        Samples.text(Samples.of(parameter.path("schema"))));
            }
        }
        if (operation.has("security")) {
            request.header("Authorization", "Bearer alice");
        }
        boolean hasBody = operation.has("requestBody");
        if (hasBody && operation.path("requestBody").path("content").has("application/json")) {
            request.header("Content-Type", "application/json");
        }
        HttpResponse<String> answer = gateway.send(request.method(method.toUpperCase(),
                hasBody ? BodyPublishers.ofString(Samples.body(operation)) : BodyPublishers.noBody()));

        check(answer, operation, method);
        int expected = operation.path("responses").has("101") ? 426
                : path.equals("/gone") ? 503 : path.equals("/docs/{path}") ? 404 : 200;
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(expected);
    }

    private void check(HttpResponse<String> answer, JsonNode operation, String method) {
        JsonNode response = operation.path("responses").path(String.valueOf(answer.statusCode()));
        assertThat(response.isObject()).as("status %d: %s", answer.statusCode(), answer.body()).isTrue();
        if (response.has("$ref")) {
            response = document.at(response.path("$ref").asString().substring(1));
        }
        for (String header : response.path("headers").propertyNames()) {
            if (Set.of("Link", "Truncated", "WWW-Authenticate").contains(header)) {
                continue; // which depend on the rows, or on the cause
            }
            assertThat(answer.headers().firstValue(header)).as(header).isPresent();
        }
        if (method.equals("head")) {
            return;
        }
        String type = answer.headers().firstValue("content-type").orElseThrow().replaceAll(";.*", "");
        JsonNode content = response.path("content");
        assertThat(content.has(type) || content.has("*/*") || content.has(type + "; charset=utf-8"))
                .as("%s of %s", type, content).isTrue();
        JsonNode schema = content.path(type).path("schema");
        if (type.endsWith("json") && schema.isObject()) {
            var withComponents = (ObjectNode) schema.deepCopy();
            withComponents.set("components", document.path("components"));
            assertThat(SCHEMAS.getSchema(withComponents).validate(JSON.readTree(answer.body())))
                    .as(answer.body()).isEmpty();
        }
    }

    /** Every request that breaks the document in one place. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            GET    | /customers/x                       | `` | 400
            GET    | /pages?limit=6                     | `` | 400
            GET    | /pages?sort=status,-status         | `` | 400
            GET    | /pages?id[ge]=x                    | `` | 422
            GET    | /cpu?n=-1                          | `` | 400
            GET    | /secret                            | `` | 401
            GET    | /caller                            | `` | 401
            PATCH  | /customers/1                       | {"name":null} | 400
            PATCH  | /customers/1                       | {"name":[]}   | 400
            PATCH  | /customers/1                       | {"name":"x","other":{}} | 400
            DELETE | /customers/1                       | `` | 405
            TRACE  | /customers                         | `` | 405
            """)
    void aRequestAgainstTheDocumentGetsAProblem(String method, String target, String body, int status)
            throws Exception {
        HttpResponse<String> answer = gateway.send(gateway
                .request(target.replace("[", "%5B").replace("]", "%5D"))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        JsonNode problem = JSON.readTree(answer.body());
        var schema = (ObjectNode) document.at("/components/schemas/Problem").deepCopy();
        assertThat(SCHEMAS.getSchema(schema).validate(problem)).isEmpty();
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(answer.headers().firstValue("allow").isPresent()).isEqualTo(status == 405);
    }

    @Test
    void anotherMediaTypeGets415() throws Exception {
        assertThat(gateway.send(gateway.request("/customers/1").header("Content-Type", "text/plain")
                .method("PATCH", BodyPublishers.ofString("{\"name\":\"x\"}"))).statusCode()).isEqualTo(415);
        assertThat(responses("/customers/{id}", "patch").has("415")).isTrue();
    }

    private JsonNode responses(String path, String method) {
        return document.path("paths").path(path).path(method).path("responses");
    }

    private JsonNode row(String path, String method) {
        JsonNode schema = responses(path, method).at("/200/content/application~1json/schema");
        return schema.has("items") ? schema.path("items") : schema;
    }

    @Test
    void columnsHaveTheTypesOfTheDatabase() {
        assertThat(row("/customers", "get").path("properties")).hasToString("{\"id\":{\"type\":\"integer\","
                + "\"format\":\"int64\"},\"name\":{\"type\":\"string\"},\"country\":{\"type\":\"string\"},"
                + "\"created_on\":{\"type\":\"string\",\"format\":\"date\"}}");
        assertThat(row("/customers/{id}", "get").path("properties").propertyNames())
                .containsExactly("id", "name"); // the version is the entity tag
        assertThat(row("/customers/{id}", "patch").at("/properties/updated/type").asString())
                .isEqualTo("integer");
    }

    /** The column is NOT NULL, and its table on the outer side of a join. */
    @Test
    void columnsBehindAnOuterJoinMayBeNull() {
        assertThat(row("/customers/{id}/orders", "get").at("/properties/id/type")).hasToString(
                "[\"integer\",\"null\"]");
    }

    @Test
    void aDatabaseThatIsGoneLeavesItsResultsOut() {
        assertThat(row("/gone", "get")).hasToString("{\"type\":\"object\"}");
    }

    @Test
    void routesOfOneShapeAreOnePath() {
        JsonNode item = document.path("paths").path("/customers/{id}");

        assertThat(item.propertyNames()).containsExactlyInAnyOrder("get", "patch");
        assertThat(item.at("/patch/parameters/0/name").asString()).isEqualTo("id");
        assertThat(document.path("paths").has("/text/{path}")).isTrue();
    }

    @Test
    void theAdminPortServesTheDocumentAndThePage() throws Exception {
        JsonNode ofOperators = JSON.readTree(gateway.getAdmin("/openapi.json").body());

        assertThat(ofOperators.path("paths")).isEqualTo(document.path("paths"));
        assertThat(ofOperators.at("/servers/0/url").asString())
                .isEqualTo("http://localhost:" + gateway.port());
        assertThat(gateway.getAdmin("/openapi").headers().firstValue("location")).hasValue("./openapi/");
        HttpResponse<String> page = gateway.getAdmin("/openapi/");
        assertThat(page.body()).contains("page.js");
        assertThat(page.headers().firstValue("content-security-policy").orElse(""))
                .contains("script-src 'self'").doesNotContain("unsafe");
    }

    @Test
    void aRouteServesThePage() throws Exception {
        assertThat(List.of("/docs/", "/docs/page.js", "/docs/page.css", "/docs/openapi.json"))
                .allSatisfy(target -> assertThat(gateway.get(target).statusCode()).isEqualTo(200));
        assertThat(gateway.get("/docs/other").statusCode()).isEqualTo(404);
    }
}
