package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Contract of arrays, enums and JSON, of headers and the caller as sources, and of null against absent
 * values.
 */
interface QueryTypeContract extends QuerySubject {

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {
        "?ids=3&ids=1&ids=2     | [1,2,3]", "?ids=7&ids=7 | [7]", "?ids=0 | []", "`` | []",
    })
    default void anArrayIsEveryParameterOfItsName(String query, String ids) throws Exception {
        for (String path : new String[] {"/in", "/any"}) {
            assertThat(ok(gateway().get(path + query)).replaceAll("\\{\"id\":(\\d+)}", "$1")).isEqualTo(ids);
        }
    }

    @Test
    default void anArrayOfTheQueryStringMayHaveManyElements() throws Exception {
        assertThat(ok(gateway().get("/in?ids=7" + "&ids=7".repeat(1000)))).isEqualTo("[{\"id\":7}]");
        assertThat(problem(gateway().get("/in?ids=7" + "&ids=7".repeat(1000) + "&ids=x"), 400))
                .isEqualTo("ids: x (expected: a whole number)");
    }

    @Test
    default void anArrayOfTheBodyMayHaveManyElementsOrNone() throws Exception {
        String many = IntStream.rangeClosed(1, 1024).mapToObj(String::valueOf)
                .collect(Collectors.joining(",", "{\"ids\":[", "]}"));

        assertThat(ok(gateway().post("/not-in", many))).isEqualTo("{\"found\":0}");
        assertThat(ok(gateway().post("/not-in", "{\"ids\":[1,\"2\"]}"))).isEqualTo("{\"found\":498}");
        assertThat(ok(gateway().post("/not-in", "{\"ids\":[]}"))).isEqualTo("{\"found\":500}");
        assertThat(problem(gateway().post("/not-in", many.replace("]", ",1]")), 400))
                .isEqualTo("ids: too long (expected: at most 1024 elements)");
        assertThat(problem(gateway().post("/not-in", "{\"ids\":1}"), 400))
                .isEqualTo("ids: 1 (expected: an array)");
    }

    /** JSON does not tell 7.0 from 7. */
    @Test
    default void aWholeNumberOfTheBodyMayHaveAFractionOfZeros() throws Exception {
        for (String seven : new String[] {"7.0", "70e-1", "0.7E1", "7.00"}) {
            assertThat(ok(gateway().post("/null", "{\"v\":" + seven + '}'))).contains("\"v\":7,");
        }
        assertThat(ok(gateway().post("/not-in", "{\"ids\":[0.0]}"))).isEqualTo("{\"found\":500}");
        assertThat(problem(gateway().post("/null", "{\"v\":7.5}"), 400))
                .isEqualTo("v: 7.5 (expected: a whole number)");
        assertThat(problem(gateway().post("/null", "{\"v\":7e99}"), 400)).startsWith("v: 7e99 (expected:");
    }

    /** Drivers change how they send parameters at about the sixth execution of a statement. */
    @RepeatedTest(7)
    default void arraysOfEveryTypeAreCompared() throws Exception {
        assertThat(ok(gateway().post("/arrays", """
                {"ints":[1,-2],"longs":["9223372036854775807"],"doubles":[0.5],"decimals":[1e3,12.50],
                "texts":["a,b","it's \\"{}\\\\ NULL","NULL",""],"booleans":[true],"dates":["2026-01-31"],
                "times":["10:00"],"timestamps":["2026-01-31T10:00"],"moments":["2026-01-31T12:00:00+02:00"],
                "uuids":["123e4567-e89b-12d3-a456-426614174000"]}"""))).isEqualTo("{\"found\":true}");
        assertThat(ok(gateway().post("/arrays", "{}"))).isEqualTo("{\"found\":null}");
    }

    @Test
    default void enumsAndJsonAreStoredAndChangedWhereTheyAreSent() throws Exception {
        ok(send("DELETE", "/documents", null));
        ok(gateway().post("/documents", """
                {"id":1,"state":"open","doc":{"a":[1,{"b":"it's \\"x\\""}],"n":1.25}}"""));
        ok(gateway().post("/documents", "{\"id\":2,\"state\":\"paid\",\"doc\":\"text\"}"));
        ok(gateway().post("/documents", "{\"id\":3,\"doc\":null}"));
        for (int i = 0; i < 7; i++) {
            assertThat(document(1)).isEqualTo("open {\"a\":[1,{\"b\":\"it's \\\"x\\\"\"}],\"n\":1.25}");
            assertThat(document(2)).isEqualTo("paid \"text\"");
            assertThat(document(3)).isEqualTo("open null");
            assertThat(ok(gateway().get("/documents?states=open&states=paid"))).isEqualTo("{\"found\":3}");
            assertThat(ok(gateway().get("/documents?states=paid"))).isEqualTo("{\"found\":1}");
        }

        ok(send("PATCH", "/documents/1", "{\"state\":\"paid\"}"));
        assertThat(document(1)).startsWith("paid {");
        ok(send("PATCH", "/documents/1", "{\"doc\":[]}"));
        assertThat(document(1)).isEqualTo("paid []");
        ok(send("PATCH", "/documents/1", "{\"state\":null,\"doc\":7}"));
        assertThat(document(1)).isEqualTo("null 7");
        ok(send("PATCH", "/documents/1", "{}"));
        assertThat(document(1)).isEqualTo("null 7");

        assertThat(problem(gateway().post("/documents", "{\"id\":4,\"state\":\"PAID\",\"doc\":1}"), 400))
                .isEqualTo("state: PAID (expected: one of open, paid)");
    }

    private String document(int id) throws Exception {
        var document = JSON.readTree(ok(gateway().get("/documents/" + id)));
        return document.get("state").asString("null") + ' ' + document.get("doc");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {
        "{}               | {\"v\":7,\"was_sent\":false}",
        "{\"v\":null}   | {\"v\":null,\"was_sent\":true}",
        "{\"v\":1}      | {\"v\":1,\"was_sent\":true}",
    })
    default void explicitNullDoesNotGetTheDefault(String body, String answer) throws Exception {
        assertThat(ok(gateway().post("/null", body))).isEqualTo(answer);
    }

    /** Drivers change how they send parameters at about the sixth execution of a statement. */
    @RepeatedTest(7)
    default void optionalArraysAndEnumsFilterIfPresent() throws Exception {
        assertThat(ok(gateway().get("/narrowed-by-ids"))).isEqualTo("{\"found\":500}");
        assertThat(ok(gateway().get("/narrowed-by-ids?ids=2&ids=1"))).isEqualTo("{\"found\":2}");
        assertThat(ok(gateway().get("/narrowed-by-state"))).isEqualTo("{\"found\":1}");
        assertThat(ok(gateway().get("/narrowed-by-state?state=open"))).isEqualTo("{\"found\":1}");
        assertThat(ok(gateway().get("/narrowed-by-state?state=paid"))).isEqualTo("{\"found\":0}");
    }

    @Test
    default void errorsOfAnArrayAreReportedUpToALimit() throws Exception {
        String body = IntStream.range(0, 1000).mapToObj(_ -> "x").collect(Collectors.joining("\",\"",
                "{\"ids\":[\"", "\"]}"));

        HttpResponse<String> answer = gateway().post("/not-in", body);

        assertThat(problem(answer, 400)).isEqualTo("ids/0: x (expected: a whole number) (and 31 more)");
        assertThat(JSON.readTree(answer.body()).get("errors").size()).isEqualTo(32);
    }

    @Test
    default void aHeaderMayBeAParameter() throws Exception {
        HttpResponse<String> answer = gateway().send(gateway().request("/headers")
                .header("X-Page-Size", "20").header("Tenant-Id", "blue"));

        assertThat(ok(answer)).isEqualTo("{\"tenant\":\"blue\",\"size\":20}");
        HttpResponse<String> none = gateway().send(
                gateway().request("/headers").header("Tenant-Id", "nobody"));
        assertThat(problem(none, 404)).isEqualTo("no such row");
        for (HttpResponse<String> stored : List.of(answer, none)) { // by caches
            assertThat(stored.headers().firstValue("vary").orElse("").split(", "))
                    .containsExactlyInAnyOrder("accept", "tenant-id", "x-page-size");
        }
        assertThat(problem(gateway().get("/headers"), 400))
                .isEqualTo("Tenant-Id: missing (expected: a text)");
    }

    /** A proxy may have added its own value to that of the client, and which of them is first is open. */
    @Test
    default void aSingleValueThatIsGivenTwiceIsAMistake() throws Exception {
        HttpResponse<String> answer = gateway().send(gateway().request("/headers?tenant=blue&tenant=blue")
                .header("X-Page-Size", "20").header("X-Page-Size", "20")
                .header("tenant-id", "red").header("Tenant-Id", "blue"));

        problem(answer, 400);
        assertThat(JSON.readTree(answer.body()).get("errors").valueStream().map(error ->
                error.get("parameter").asString() + ' ' + error.get("detail").asString()))
                .containsExactlyInAnyOrder("Tenant-Id given 2 times (expected: once)",
                        "x-page-size given 2 times (expected: once)");
        assertThat(problem(gateway().get("/query-string/text?v=a&v=a&v="), 400))
                .isEqualTo("v: given 3 times (expected: once)");
    }

    @Test
    default void theCallerMayBeAParameter() throws Exception {
        for (String path : new String[] {"/caller", "/caller-or-not"}) {
            assertThat(ok(gateway().send(gateway().request(path).header("Authorization", "Bearer alice"))))
                    .isEqualTo("{\"me\":\"alice\"}");
        }
        assertThat(ok(gateway().get("/caller-or-not"))).isEqualTo("{\"me\":null}");
        HttpResponse<String> refused = gateway().send(gateway().request("/caller?me=alice")
                .header("Me", "alice").method("GET", BodyPublishers.noBody()));
        assertThat(problem(refused, 401)).isEqualTo("no caller (expected: Authorization: Bearer <token>)");
        assertThat(refused.headers().firstValue("www-authenticate")).isPresent();
    }
}
