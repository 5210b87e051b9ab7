package io.sluice.gateway.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RunningGateway;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The document's words on changes, imports, live results, sessions and rights. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenapiChangesIT {
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
    void aWriteHasItsKeyItsElementsAndItsStatuses() throws Exception {
        JsonNode place = document.operation("/placed", "post");
        assertThat(place.path("requestBody").path("content").propertyNames())
                .containsExactly("application/json"); // as forms have no arrays of objects
        JsonNode lines = place.at("/requestBody/content/application~1json/schema/properties/lines");
        assertThat(lines.path("items").path("properties").propertyNames())
                .containsExactlyInAnyOrder("line", "product", "quantity", "price");
        assertThat(lines.path("items").path("required")).hasToString("[\"line\",\"product\"]");
        assertThat(lines.path("maxItems").asInt()).isEqualTo(3);
        assertThat(lines.path("minItems").asInt()).isEqualTo(1);
        assertThat(document.responses("/placed", "post").propertyNames())
                .contains("201", "404", "409", "410", "422", "423").doesNotContain("200");
        assertThat(document.responses("/customers/{id}/country", "put").propertyNames())
                .contains("204", "404", "412", "428").doesNotContain("200");
        assertThat(document.responses("/placed/{id}", "delete").propertyNames()).contains("202", "204")
                .doesNotContain("200", "404");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            PUT  | /customers/1/country | If-Match        | `` | {"country":"DE"} | 428
            PUT  | /customers/1/country | If-Match        | "2" | {"country":"DE"} | 412
            PUT  | /customers/1/country | If-Match        | *  | {"country":"PL"} | 400
            POST | /placed | Idempotency-Key | ``     | {"customer":1,"lines":[]} | 400
            POST | /placed | Idempotency-Key | none   | {"customer":1,"lines":[]} | 410
            POST | /placed | Idempotency-Key | many   | {"customer":1,"lines":[{},{},{},{}]} | 400
            POST | /placed | Idempotency-Key | locked|{"customer":0,"lines":[{"line":1,"product":"x"}]} | 423
            PUT  | /customers?country=x | X | `` | [{"id":1,"name":"x"},{},{},{}] | 413
            PUT  | /customers?country=x | X | `` | [{"id":1,"name":null}] | 400
            POST | /staff/a | X | `` | x | 403
            GET  | /staff/a | X | `` | `` | 403
            GET  | /staff/a/members | X | `` | `` | 403
            """)
    void aRefusedChangeGetsADescribedProblem(String method, String target, String header, String value,
                                             String body, int status) throws Exception {
        HttpRequest.Builder request = gateway.request(target)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!value.isEmpty()) {
            request.header(header, value);
        }
        HttpResponse<String> answer = gateway.send(request);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        String path = document.json().path("paths").propertyNames().stream()
                .filter(each -> target.replaceAll("\\?.*", "").matches(each.replaceAll("\\{\\w+}", "[^/]+")))
                .findFirst().orElseThrow();
        document.check(answer, document.operation(path, method.toLowerCase()), method);
    }

    @Test
    void anAnswerThatIsRepeatedSaysSo() throws Exception {
        HttpRequest.Builder request = gateway.request("/placed").header("Idempotency-Key", "twice")
                .POST(BodyPublishers.ofString("""
                        {"customer":1,"lines":[{"line":1,"product":"x"}]}"""));

        HttpResponse<String> first = gateway.send(request);
        HttpResponse<String> second = gateway.send(request);

        assertThat(first.headers().firstValue("idempotent-replayed")).isEmpty();
        assertThat(second.headers().firstValue("idempotent-replayed")).hasValue("true");
        assertThat(second.body()).isEqualTo(first.body());
        document.check(second, document.operation("/placed", "post"), "post");
    }

    @Test
    void aLiveResultIsAnEventStreamToo() throws Exception {
        HttpResponse<InputStream> stream = gateway.client().send(gateway.request("/live/1")
                .header("Accept", "text/event-stream").build(), HttpResponse.BodyHandlers.ofInputStream());
        stream.body().close();

        // Without a schema, which tools apply to the whole stream or to each event.
        assertThat(document.responses("/live/{id}", "get").at("/200/content").path(
                stream.headers().firstValue("content-type").orElseThrow())).hasToString("{}");
        assertThat(document.names("/live/{id}", "get")).contains("Last-Event-ID");
    }

    @Test
    void anOperationHasTheLimitsOfItsRoute() {
        assertThat(document.operation("/customers", "put").path("x-limits"))
                .hasToString("{\"maxBodyBytes\":8192,\"deadlineMs\":30000}");
    }

    @Test
    void settingsOfSessionsAreOptional() {
        assertThat(document.names("/gone", "get")).containsExactly("X-Tenant");
        assertThat(document.operation("/gone", "get").path("security")).hasToString("[{},{\"bearer\":[]}]");
        assertThat(document.operation("/staff/{topic}", "get").path("security"))
                .hasToString("[{},{\"bearer\":[]}]");
    }
}
