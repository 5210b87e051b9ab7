package io.sluice.gateway.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import io.sluice.gateway.RunningGateway;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
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
import tools.jackson.databind.node.ObjectNode;

/** The document by an independent validator, and the routes by the document. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenapiIT {
    private RunningGateway gateway;
    private Described document;

    @BeforeAll
    void start() throws Exception {
        gateway = RunningGateway.start("include classpath(\"openapi.conf\")");
        document = new Described(Described.JSON.readTree(gateway.get("/openapi.json").body()));
    }

    @AfterAll
    void stop() {
        gateway.close();
    }

    @Test
    void theDocumentIsValid() throws Exception {
        try (InputStream schema = getClass().getResourceAsStream("/openapi-3.1-schema.json")) {
            assertThat(Described.SCHEMAS.getSchema(Described.JSON.readTree(schema)).validate(document.json()))
                    .isEmpty();
        }
        var schemas = new ArrayList<JsonNode>(document.json().findValues("schema"));
        schemas.add(document.json().at("/components/schemas/Problem"));
        Schema meta = Described.SCHEMAS.getSchema(
                "{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}");
        assertThat(schemas).hasSizeGreaterThan(50)
                .allSatisfy(schema -> assertThat(meta.validate(schema)).as(schema.toString()).isEmpty());
        assertThat(schemas).filteredOn(schema -> schema.has("default")).hasSizeGreaterThan(3).allSatisfy(
                schema -> assertThat(Described.SCHEMAS.getSchema(schema).validate(schema.path("default")))
                        .as(schema.toString()).isEmpty());
        assertThat(document.json().at("/info/title").asString()).isEqualTo("Sample");
        assertThat(document.json().at("/info/version").asString()).isEqualTo("2.1.0");
    }

    /** Each operation, with each media type of its body. */
    Stream<Arguments> operations() {
        return document.json().path("paths").propertyNames().stream().flatMap(path ->
                document.json().path("paths").path(path).propertyNames().stream().flatMap(method -> {
                    JsonNode body = document.operation(path, method).at("/requestBody/content");
                    return (body.isEmpty() ? Stream.of("") : body.propertyNames().stream())
                            .map(mediaType -> Arguments.of(method, path, mediaType));
                }));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void anOperationAnswersAsTheDocumentSays(String method, String path, String mediaType) throws Exception {
        JsonNode operation = document.operation(path, method);
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
        if (mediaType.contains("/") && !mediaType.equals("*/*")) {
            request.header("Content-Type", Samples.contentType(mediaType));
        }
        HttpResponse<String> answer = gateway.send(request.method(method.toUpperCase(), mediaType.isEmpty()
                ? BodyPublishers.noBody() : BodyPublishers.ofString(Samples.body(operation, mediaType))));

        document.check(answer, operation, method);
        int expected = operation.path("responses").has("101") ? 426 : switch (path + ' ' + method) {
            case "/gone get" -> 503;
            case "/docs/{path} get", "/closed/{path} get" -> 404;
            case "/placed post" -> 201;
            case "/placed/{id} delete", "/customers/{id}/country put" -> 204;
            default -> 200;
        };
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(expected);
    }

    /** Every request that breaks the document in one place. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            GET    | /customers/x                       | `` | 400
            GET    | /pages?limit=6                     | `` | 400
            GET    | /pages?sort=status,-status         | `` | 400
            GET    | /pages?id[ge]=x                    | `` | 400
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
        JsonNode problem = Described.JSON.readTree(answer.body());
        var schema = (ObjectNode) document.json().at("/components/schemas/Problem").deepCopy();
        assertThat(Described.SCHEMAS.getSchema(schema).validate(problem)).isEmpty();
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(answer.headers().firstValue("allow").isPresent()).isEqualTo(status == 405);
    }

    @Test
    void anotherMediaTypeGets415() throws Exception {
        assertThat(gateway.send(gateway.request("/customers/1").header("Content-Type", "text/plain")
                .method("PATCH", BodyPublishers.ofString("{\"name\":\"x\"}"))).statusCode()).isEqualTo(415);
        assertThat(document.responses("/customers/{id}", "patch").has("415")).isTrue();
    }

    @Test
    void anUnknownCodingGets415() throws Exception {
        HttpResponse<String> answer = gateway.send(gateway.request("/customers/1")
                .header("Content-Type", "application/json").header("Content-Encoding", "br")
                .method("PATCH", BodyPublishers.ofString("{\"name\":\"x\"}")));

        assertThat(answer.statusCode()).isEqualTo(415);
        document.check(answer, document.operation("/customers/{id}", "patch"), "patch");
    }

    private JsonNode row(String path, String method) {
        JsonNode schema = document.responses(path, method).at("/200/content/application~1json/schema");
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
        JsonNode item = document.json().path("paths").path("/customers/{id}");

        assertThat(item.propertyNames()).containsExactlyInAnyOrder("get", "patch");
        assertThat(item.at("/patch/parameters/0/name").asString()).isEqualTo("id");
        assertThat(document.json().path("paths").has("/text/{path}")).isTrue();
    }

    @Test
    void theAdminPortServesTheDocumentAndThePage() throws Exception {
        JsonNode ofOperators = Described.JSON.readTree(gateway.getAdmin("/openapi.json").body());

        assertThat(ofOperators.path("paths")).isEqualTo(document.json().path("paths"));
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
        assertThat(gateway.get("/docs/").headers().firstValue("content-security-policy").orElse(""))
                .contains("default-src 'none'", "script-src 'self'", "connect-src 'self';")
                .doesNotContain("unsafe");
    }

    /** A browser sends no token for a page; the page sends one for the document. */
    @Test
    void theTokensOfAPageProtectItsDocument() throws Exception {
        assertThat(List.of("/closed/", "/closed/page.js", "/closed/page.css"))
                .allSatisfy(target -> assertThat(gateway.get(target).statusCode()).isEqualTo(200));
        for (String target : List.of("/closed/openapi.json", "/closed/%6fpenapi.json")) {
            HttpResponse<String> refused = gateway.get(target);
            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(refused.headers().firstValue("www-authenticate")).hasValue("Bearer realm=\"sluice\"");
            assertThat(gateway.send(gateway.request(target).header("Authorization", "Bearer bob"))
                    .statusCode()).isEqualTo(401);
            HttpResponse<String> served =
                    gateway.send(gateway.request(target).header("Authorization", "Bearer alice"));
            assertThat(Described.JSON.readTree(served.body()).path("paths")).isEqualTo(
                    document.json().path("paths"));
        }
        assertThat(document.operation("/closed/{path}", "get").path("security"))
                .hasToString("[{},{\"bearer\":[]}]");
    }
}
