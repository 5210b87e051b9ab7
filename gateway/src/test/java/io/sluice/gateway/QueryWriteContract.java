package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The key {@code write} of queries: steps, status, Location and preconditions. */
interface QueryWriteContract extends QuerySubject {

    @BeforeEach
    default void removeOrders() throws Exception {
        ok(send("DELETE", "/written", null));
    }

    private String orders() throws Exception {
        return ok(gateway().get("/written"));
    }

    private HttpResponse<String> place(String lines) throws Exception {
        return gateway().post("/written", "{\"note\":\"ä/1\",\"lines\":" + lines + '}');
    }

    private HttpResponse<String> change(String target, String ifMatch) throws Exception {
        var request = gateway().request(target).method("PATCH", BodyPublishers.noBody());
        return gateway().send(ifMatch == null ? request : request.header("If-Match", ifMatch));
    }

    /** RFC 9110 sections 13.1.2 and 13.2.2: tags are compared weakly, and If-Match is evaluated, too. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", textBlock = """
            /put        | n | -            | -   | 204
            /put        | x | -            | -   | 204
            /put        | n | *            | -   | 412
            /put        | x | *            | -   | 204
            /put        | n | "1"          | -   | 412
            /put        | n | W/"1"        | -   | 412
            /put        | n | "7", "1;csv" | -   | 412
            /put        | n | "2", "abc"   | -   | 204
            /put        | x | "1"          | -   | 204
            /put        | n | "2"          | "1" | 204
            /put        | n | "2"          | "2" | 412
            /put        | n | "1"          | "1" | 412
            /put        | n | 1            | -   | 400
            /put        | n | "1" 2        | -   | 400
            /put-safely | n | -            | -   | 428
            /put-safely | n | "2"          | -   | 204
            """)
    default void aChangeMayDependOnNoState(String path, String note, String ifNoneMatch, String ifMatch,
                                           int status) throws Exception {
        gateway().post("/written-plain", "{\"note\":\"n\"}");
        var request = gateway().request(path + '/' + note).PUT(BodyPublishers.noBody());
        if (ifNoneMatch != null) {
            request.header("If-None-Match", ifNoneMatch);
        }
        if (ifMatch != null) {
            request.header("If-Match", ifMatch);
        }

        HttpResponse<String> answer = gateway().send(request);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        String tag = gateway().get("/written/n").headers().firstValue("etag").orElseThrow();
        assertThat(tag).isEqualTo(status == 204 && note.equals("n") ? "\"2\"" : "\"1\"");
        assertThat(gateway().get("/written/x").statusCode())
                .isEqualTo(status == 204 && note.equals("x") ? 200 : 404);
    }

    /** The tag is the text of the database, which is no ISO 8601. */
    @ParameterizedTest
    @ValueSource(strings = {"utc", "kolkata", "local"})
    default void aVersionMayBeATimestamp(String route) throws Exception {
        String target = "/stamps/" + route;
        String tag = gateway().get(target).headers().firstValue("etag").orElseThrow();

        assertThat(change(target, tag).statusCode()).isEqualTo(204);
        assertThat(change(target, tag.replace("2026", "2025")).statusCode()).isEqualTo(412);
        assertThat(gateway().send(gateway().request(target).method("PATCH", BodyPublishers.noBody())
                .header("If-None-Match", tag)).statusCode()).isEqualTo(412);
    }

    /** H2 reports a UUID as bytes. */
    @Test
    default void aLocationAndAVersionMayBeUuids() throws Exception {
        String target = gateway().post("/uuids", "").headers().firstValue("location").orElseThrow();
        String tag = gateway().get(target).headers().firstValue("etag").orElseThrow();

        assertThat(target).isEqualTo("/uuids/123e4567-e89b-12d3-a456-426614174000");
        assertThat(tag).isEqualTo("\"123e4567-e89b-12d3-a456-426614174000\"");
        assertThat(change(target, tag).statusCode()).isEqualTo(204);
        assertThat(change(target, tag.replace('e', 'f')).statusCode()).isEqualTo(412);
    }

    @Test
    default void tooManyTagsAreOneOfTheMistakes() throws Exception {
        assertThat(change("/uuids/x", "\"1\", ".repeat(101)).body())
                .contains("\"status\":400", "{\"parameter\":\"id\",", "{\"parameter\":\"If-Match\",");
    }

    @ParameterizedTest
    @CsvSource({"POST, /written-plain, If-None-Match, *", "PATCH, /written/n, If-None-Match, *",
        "POST, /items, If-Match, *", "DELETE, /removed-404, If-Match, \"1\""})
    default void aPreconditionThatIsNotEvaluatedIsRefused(String method, String target, String header,
                                                          String value) throws Exception {
        HttpResponse<String> answer = gateway().send(gateway().request(target)
                .method(method, BodyPublishers.ofString("{\"note\":\"n\",\"name\":\"n\"}"))
                .header(header, value));

        assertThat(problem(answer, 400)).isEqualTo(header + ": " + value
                + " (expected: none, as this route does not evaluate it)");
        assertThat(orders()).isEqualTo("[]");
    }

    @Test
    default void severalStatementsHandTheirResultsOn() throws Exception {
        HttpResponse<String> answer = place(
                "[{\"sku\":\"a\",\"n\":2,\"gift\":true},{\"sku\":\"b\",\"n\":3}]");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        long id = JSON.readTree(answer.body()).get("id").asLong();
        assertThat(answer.body()).isEqualTo("{\"id\":" + id + ",\"note\":\"ä/1\",\"items\":5}");
        assertThat(answer.headers().firstValue("location")).hasValue("/written/%C3%A4%2F1/" + id);
        assertThat(orders()).isEqualTo("[{\"note\":\"ä/1\",\"version\":1,\"n\":2}]");
        assertThat(ok(gateway().get("/written-stock"))).isEqualTo("{\"n\":10}");
    }

    @Test
    default void errorInOneStatementRollsBackTheTransaction() throws Exception {
        HttpResponse<String> none = place("[{\"sku\":\"a\",\"n\":2},{\"sku\":\"b\",\"n\":0}]");
        assertThat(problem(none, 409)).isEqualTo("lines/1: conflicts with what is stored");
        assertThat(JSON.readTree(none.body()).get("errors")).hasToString(
                "[{\"pointer\":\"#/lines/1\",\"detail\":\"conflicts with what is stored\"}]");
        assertThat(problem(place("[{\"sku\":\"a\",\"n\":2},{\"sku\":\"b\",\"n\":1},{\"sku\":\"a\",\"n\":1}]"),
                409)).isEqualTo("lines/2: conflicts with what is stored");
        assertThat(problem(place("[{\"sku\":\"a\",\"n\":0}]"), 409))
                .isEqualTo("lines/0: conflicts with what is stored");
        HttpResponse<String> outOfStock = place("[{\"sku\":\"a\",\"n\":2},{\"sku\":\"b\",\"n\":6}]");
        assertThat(problem(outOfStock, 409)).isEqualTo("lines/1: not enough in stock");
        assertThat(JSON.readTree(outOfStock.body()).get("errors")).hasToString(
                "[{\"pointer\":\"#/lines/1\",\"detail\":\"not enough in stock\"}]");
        assertThat(problem(place("[]"), 409)).isEqualTo("lines: no element");
        assertThat(problem(gateway().post("/written-step-without-row", ""), 404)).isEqualTo("no such row");
        assertThat(problem(gateway().post("/written-step-told", ""), 410)).isEqualTo("the order is gone");

        assertThat(orders()).isEqualTo("[]");
        assertThat(ok(gateway().get("/written-stock"))).isEqualTo("{\"n\":15}");
    }

    private HttpResponse<String> addNotes(String... notes) throws Exception {
        return gateway().post("/written-notes", Stream.of(notes).map(note -> "{\"text\":\"" + note + "\"}")
                .collect(Collectors.joining(",", "{\"notes\":[", "]}")));
    }

    /** Drivers that send the rows of a batch as one INSERT do not count them. */
    @Test
    default void elementThatInsertsNoRowIsReportedByIndex() throws Exception {
        assertThat(ok(addNotes("taken"))).isEqualTo("{\"n\":1}");
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> refused = addNotes("new", "taken", "last");
            assertThat(problem(refused, 409)).isEqualTo("notes/1: changes nothing");
            assertThat(JSON.readTree(refused.body()).at("/errors/0/pointer").asString())
                    .isEqualTo("#/notes/1");
        }
        assertThat(ok(addNotes("new", "last"))).isEqualTo("{\"n\":3}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            [{"n":"x"},{"sku":"d","n":1},5] | #/lines/0/sku missing (expected: one of a, b, c), \
            #/lines/0/n x (expected: a whole number), #/lines/1/sku d (expected: one of a, b, c), \
            #/lines/2 5 (expected: an object)
            [{"sku":"a","n":[1]}]  | #/lines/0/n [ (expected: a text, number, boolean or null)
            {}                     | #/lines { (expected: an array of objects)
            null                   | #/lines missing (expected: an array of objects)
            """)
    default void mistakesInElementsAreTold(String lines, String mistakes) throws Exception {
        HttpResponse<String> answer = place(lines);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(JSON.readTree(answer.body()).get("errors").valueStream().map(error ->
                error.get("pointer").asString() + ' ' + error.get("detail").asString())
                .toList()).containsExactlyInAnyOrder(mistakes.split(", (?=#)"));
    }

    @Test
    default void elementsAreBounded() throws Exception {
        String many = IntStream.range(0, 41).mapToObj(_ -> "{\"sku\":\"a\",\"n\":1}")
                .collect(Collectors.joining(",", "[", "]"));

        assertThat(problem(place(many), 400)).isEqualTo("lines: too long (expected: at most 40 elements)");
        String wrong = IntStream.range(0, 40).mapToObj(_ -> "{}").collect(Collectors.joining(",", "[", "]"));
        assertThat(problem(place(wrong), 400)).startsWith("lines/0/").endsWith(" more)");
    }

    private HttpResponse<String> row(String accepted, String ifNoneMatch) throws Exception {
        return gateway().send(gateway().request("/compressed/n").header("Accept-Encoding", accepted)
                .header("If-None-Match", ifNoneMatch));
    }

    private void assertRow(HttpResponse<String> row, int status, String tag) {
        assertThat(row.statusCode()).isEqualTo(status);
        assertThat(row.headers().firstValue("etag")).hasValue(tag);
    }

    /**
     * RFC 9110 sections 13.1.1, 13.1.2 and 15.4.5. A cache with several encodings sends the response to which
     * a 304 points (RFC 9111 section 4.3.4).
     */
    @Test
    default void aCompressedRowHasATagThatAChangeMayName() throws Exception {
        gateway().post("/written-plain", "{\"note\":\"n\"}");
        assertThat(row("gzip", "\"0\"").headers().firstValue("content-encoding")).hasValue("gzip");
        assertRow(row("gzip", "\"0\""), 200, "\"1;gzip\"");
        assertRow(row("gzip", "\"0;gzip\", \"1\""), 304, "\"1\"");
        assertRow(row("gzip", "\"0;gzip\", W/\"1;gzip\""), 304, "\"1;gzip\"");
        assertRow(row("gzip", "\"1\", \"1;gzip\""), 304, "\"1;gzip\"");
        assertRow(row("identity", "\"1;gzip\", W/\"1\""), 304, "\"1\"");
        assertRow(row("identity", "\"1;gzip\""), 200, "\"1\"");
        assertRow(row("gzip;q=0", "\"1;gzip\""), 200, "\"1\"");
        assertRow(row("br", "\"1;gzip\""), 200, "\"1;br\"");
        assertRow(row("identity", "*"), 304, "\"1\"");

        assertThat(change("/written/n", "\"1;gzip\"").statusCode()).isEqualTo(204);
        assertRow(row("gzip", "\"1;gzip\""), 200, "\"2;gzip\"");
    }

    @Test
    default void theRowThatIsInsertedIsTheAnswer() throws Exception {
        HttpResponse<String> created = gateway().post("/written-plain", "{\"note\":\"one\"}");
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        assertThat(created.headers().firstValue("etag")).hasValue("\"1\"");
        assertThat(created.body()).startsWith("{\"id\":").endsWith(",\"note\":\"one\"}");

        HttpResponse<String> silent = gateway().post("/written-silently", "{\"note\":\"two\"}");
        assertThat(silent.statusCode()).isEqualTo(204);
        assertThat(silent.body()).isEmpty();
        assertThat(silent.headers().firstValue("content-type")).isEmpty();
        assertThat(silent.headers().firstValue("location").orElseThrow()).matches("/x/\\d+");

        HttpResponse<String> nowhere = gateway().post("/nowhere", "");
        assertThat(ok(nowhere)).isEqualTo("{\"id\":null}");
        assertThat(nowhere.headers().firstValue("location")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"404, application/problem+json", "409, application/problem+json", "200, application/json",
            "204,"})
    default void changeOfNoRowHasTheConfiguredStatus(int status, String type) throws Exception {
        HttpResponse<String> answer = send("DELETE", "/removed-" + status, null);

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("content-type").orElse(null)).isEqualTo(type);
    }

    /** RFC 9110 section 13.1.1: * is any state, and tags are compared strongly. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", textBlock = """
            /written        | n | -              | 204
            /written        | n | *              | 204
            /written        | n | "1"            | 204
            /written        | n | "0", "1"       | 204
            /written        | n | "abc","1;csv"  | 204
            /written        | n | "2"            | 412
            /written        | n | W/"1"          | 412
            /written        | n | "abc"          | 412
            /written        | n | 1              | 412
            /written        | x | -              | 404
            /written        | x | *              | 412
            /written        | x | "1"            | 412
            /written-safely | n | -              | 428
            /written-safely | n | "1"            | 204
            /written-without-write | n | "1"     | 200
            /written-without-write | n | "2"     | 412
            /written-without-write | x | "1"     | 412
            /written-in-step | n | "1"           | 200
            /written-in-step | n | "2"           | 412
            /written-in-step | x | -             | 410
            """)
    default void aChangeMayDependOnTheState(String path, String note, String ifMatch, int status)
            throws Exception {
        gateway().post("/written-plain", "{\"note\":\"n\"}");

        assertThat(change(path + '/' + note, ifMatch).statusCode()).isEqualTo(status);

        String tag = gateway().get("/written/n").headers().firstValue("etag").orElseThrow();
        assertThat(tag).isEqualTo(status < 400 ? "\"2\"" : "\"1\"");
        assertThat(change("/written/n", tag).statusCode()).isEqualTo(204);
    }
}
