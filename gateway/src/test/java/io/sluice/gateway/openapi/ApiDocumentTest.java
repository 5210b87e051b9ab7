package io.sluice.gateway.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.read.ConfigLoader;
import io.sluice.handlers.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiDocumentTest {
    @TempDir
    private Path folder;

    private Described describe(String config) throws IOException {
        Path file = Files.writeString(folder.resolve("main.conf"), "sluice { " + config + " }");
        return new Described(Described.JSON.readTree(Json.bytes(ApiDocument.of(
                new ConfigLoader(Map.of()).load(file).config(),
                new DescribedColumns.Known(Map.of(), List.of())))));
    }

    /** A capture precedes a rest, and a method by its name any method, whatever the order in the file. */
    @Test
    void theRouteThatIsServedIsDescribed() throws IOException {
        Described document = describe("""
                upstreams.u.endpoints = ["http://127.0.0.1:9"]
                routes {
                  every { path = "/a/**", methods = [GET, HEAD, POST], handler = echo }
                  item { path = "/a/{id}", handler = index }
                  any { path = "/b", methods = ["*"], handler = proxy, upstream = u }
                  get { path = "/b", handler = index }
                  head { path = "/b", methods = [HEAD], handler = index }
                }
                """);

        assertThat(List.of("get", "post").stream().map(method -> id(document, "/a/{id}", method)))
                .containsExactly("item", "every-post");
        assertThat(List.of("get", "head", "post").stream().map(method -> id(document, "/b", method)))
                .containsExactly("get", "head", "any-post");
        // HEAD is that of the route for GET, for which no document has an operation.
        assertThat(document.operation("/a/{id}", "head").isMissingNode()).isTrue();
    }

    /** The header of a condition, which clients of entity tags send, and one of the query itself. */
    @Test
    void noTwoParametersAreTheSame() throws IOException {
        Described document = describe("""
                databases.d { url = "jdbc:h2:mem:api", pool = main }, offload.pools.main { workers = 1 }
                routes.item { path = "/a", handler = query, database = d, single = true, etag = column version
                  sql = "SELECT :tag AS tag, 1 AS version"
                  parameters.tag { type = text, from = header, header = if-none-match } }
                """);

        assertThat(document.names("/a", "get")).containsExactly("if-none-match");
    }

    /** A precondition of a change may fail without the key {@code write}, too. */
    @Test
    void aPreconditionHasItsStatuses() throws IOException {
        Described document = describe("""
                databases.d { url = "jdbc:h2:mem:api", pool = main }, offload.pools.main { workers = 1 }
                routes.item { path = "/a", methods = [DELETE], handler = query, database = d
                  sql = "DELETE FROM a WHERE :match IS NULL OR version IN (:match)"
                  parameters.match { type = "long[]", from = if-match } }
                """);

        assertThat(document.responses("/a", "delete").propertyNames()).contains("412", "428");
    }

    /** A client may limit the time of any request, by {@code X-Request-Timeout}. */
    @Test
    void anyOperationMayRunOutOfTime() throws IOException {
        Described document = describe("""
                topics.news {}
                routes.events { path = "/events/{topic}", handler = events, topics = news }
                """);

        assertThat(document.responses("/events/{topic}", "get").has("504")).isTrue();
    }

    /** An upstream has problems of its own; those of the gateway are among any responses. */
    @Test
    void theResponsesOfUpstreamsAreAny() throws IOException {
        Described document = describe("""
                upstreams.u.endpoints = ["http://127.0.0.1:9"]
                routes.proxy { path = "/a", methods = [POST], handler = proxy, upstream = u }
                """);

        assertThat(document.responses("/a", "post").propertyNames()).containsExactly("default");
        assertThat(document.responses("/a", "post").at("/default/content")).hasToString("{\"*/*\":{}}");
    }

    @Test
    void aResetHasNoContent() throws IOException {
        Described document = describe("""
                databases.d { url = "jdbc:h2:mem:api", pool = main }, offload.pools.main { workers = 1 }
                routes.item { path = "/a", methods = [POST], handler = query, database = d
                  sql = "DELETE FROM a", write.status = 205 }
                """);

        assertThat(document.responses("/a", "post").path("205").has("content")).isFalse();
    }

    /** The gateway answers with a problem, such as to a wrong X-Request-Timeout. */
    @Test
    void aFixedResponseStandsBesideTheProblemsOfItsStatus() throws IOException {
        Described document = describe("""
                routes.closed { path = "/a", handler = text, status = 503, text = "closed" }
                """);

        assertThat(document.responses("/a", "get").path("503").path("content").propertyNames())
                .containsExactlyInAnyOrder("text/plain; charset=utf-8", "application/problem+json");
    }

    /** Spectral and generators of clients require it, beside JSON Schema. */
    @Test
    void arraysHaveItems() throws IOException {
        Described document = describe("""
                topics.news {}
                routes {
                  json { path = "/json", handler = json, body { a = [1, { b = [] }], c { d = null } } }
                  poll { path = "/{topic}", handler = events, topics = news }
                }
                """);

        assertThat(document.json().findParents("type")).hasSizeGreaterThan(9).allSatisfy(schema ->
                assertThat(schema.path("type").asString("").equals("array")).isEqualTo(schema.has("items")));
        assertThat(document.responses("/json", "get").at(
                "/200/content/application~1json/schema/properties/c/properties/d").has("const")).isTrue();
    }

    private static String id(Described document, String path, String method) {
        return document.operation(path, method).path("operationId").asString();
    }
}
