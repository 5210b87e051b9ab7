package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract of bodies that are not the flat JSON object which the parameters are read from. */
interface QueryBodyContract extends QuerySubject {

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {
        "no JSON              | body (expected: a JSON object; column 1 is wrong)",
        "{\"v\":\"a\"         | body (expected: a JSON object; column 9 is wrong)",
        "{'v':'a'}            | body (expected: a JSON object; column 2 is wrong)",
        "{\"v\":01}           | body (expected: a JSON object; column 7 is wrong)",
        "{\"v\":NaN}          | body (expected: a JSON object; column 9 is wrong)",
        "{\"v\":\"a\",}       | body (expected: a JSON object; column 10 is wrong)",
        "[]                   | body (expected: a JSON object)",
        "[{\"v\":\"a\"}]      | body (expected: a JSON object)",
        "\"a\"                | body (expected: a JSON object)",
        "null                 | body (expected: a JSON object)",
        "{\"v\":\"a\"} {}     | body (expected: one JSON object and nothing after it)",
        "{\"v\":\"a\"}}       | body (expected: a JSON object; column 10 is wrong)",
        "{\"v\":\"a\",\"v\":1} | body (expected: a JSON object that names each member once)",
        "{\"v\":null,\"v\":1} | body (expected: a JSON object that names each member once)",
        "{\"v\":{\"w\":1}}    | v: { (expected: a text, number, boolean or null)",
        "{\"w\":[1],\"v\":1}  | w: [ (expected: a text, number, boolean or null)",
        "{\"v\":\"\\ud800\"}  | body (expected: a JSON object without unpaired surrogates)",
        "{\"\\udc00\":1}      | body (expected: a JSON object; column 9 is wrong)",
    })
    default void bodiesOtherThanOneFlatObjectGet400(String body, String detail) throws Exception {
        assertThat(problem(gateway().post("/body/text", body), 400)).isEqualTo(detail);
    }

    @Test
    default void bytesThatAreNotUtf8Get400() throws Exception {
        byte[] latin1 = "{\"v\":\"Björn\"}".getBytes(StandardCharsets.ISO_8859_1);

        HttpResponse<String> answer = gateway().send(gateway().request("/body/text")
                .POST(BodyPublishers.ofByteArray(latin1)));

        assertThat(problem(answer, 400)).isEqualTo("body (expected: a JSON object in UTF-8)");
    }

    @Test
    default void aNumberWithoutEndGets400() throws Exception {
        assertThat(problem(gateway().post("/body/decimal", "{\"v\":" + "9".repeat(1500) + '}'), 400))
                .isEqualTo("body (expected: a JSON object; something in it is too long or too deep)");
        assertThat(problem(gateway().post("/body/decimal", "{\"v\":1e999999999}"), 400))
                .isEqualTo("v: 1e999999999 (expected: a number, such as 12.50)");
        assertThat(problem(gateway().post("/body/long", "{\"v\":99999999999999999999}"), 400)).isEqualTo(
                "v: 99999999999999999999 (expected: -9223372036854775808..9223372036854775807)");
    }

    @Test
    default void deepNestingIsRefused() throws Exception {
        assertThat(problem(gateway().post("/body/text", "{\"v\":" + "[".repeat(1900)), 400))
                .isEqualTo("body (expected: a JSON object; something in it is too long or too deep)");
    }

    @Test
    default void aBodyAboveTheLimitGets413() throws Exception {
        assertThat(problem(gateway().post("/body/text", "{\"v\":\"" + "a".repeat(2048) + "\"}"), 413))
                .isEqualTo("the body is too large (expected: at most 2048 bytes)");
    }

    @Test
    default void aLargeBodyIsReadAsASmallOneIs() throws Exception {
        assertThat(ok(gateway().post("/one/large-body", "{\"v\":\"" + "\u00e9".repeat(100_000) + "\"}")))
                .isEqualTo("{\"length\":100000}");
        assertThat(problem(gateway().post("/one/large-body", "{\"v\":\"" + "a".repeat(100_000)), 400))
                .isEqualTo("body (expected: a JSON object; column 100007 is wrong)");
        assertThat(problem(gateway().post("/one/large-body", "{" + " ".repeat(100_000) + "}"), 400))
                .isEqualTo("v: missing (expected: a text)");
    }

    /** 1 MiB of members once took 90 to 190 ms of an event loop. */
    @Test
    default void manyMembersAreRefusedByAWorkerAndNotByTheEventLoop() throws Exception {
        String members = IntStream.range(0, 100_000).mapToObj(i -> "\"" + i + "\":1")
                .collect(Collectors.joining(",", "{", "}"));

        assertThat(problem(gateway().post("/one/large-body", members), 400))
                .isEqualTo("body (expected: a JSON object of at most 1024 members)");
        try (RawClient running = gateway().connect(); RawClient waiting = gateway().connect()) {
            running.send("GET /one/long HTTP/1.1\r\nHost: x\r\n\r\n");
            await().until(() -> running() == 1);
            waiting.send("GET /one/quick HTTP/1.1\r\nHost: x\r\n\r\n");
            await().untilAsserted(() -> assertThat(gateway().getAdmin("/pools").body())
                    .containsPattern("\"one\"[^}]*\"queued\":1"));

            problem(gateway().post("/one/large-body", "x".repeat(16 * 1024)), 400);
            problem(gateway().post("/one/large-body", members), 503);
        }
    }

    @Test
    default void aTextMayBeLong() throws Exception {
        String text = "é".repeat(5000);

        assertThat(ok(gateway().post("/one/large-body", "{\"v\":\"" + text + "\"}")))
                .isEqualTo("{\"length\":5000}");
        assertThat(ok(gateway().send(gateway().request("/one/large-body")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("v=" + text))))).isEqualTo("{\"length\":5000}");
    }

    @Test
    default void noBodyIsAnEmptyObject() throws Exception {
        assertThat(problem(gateway().post("/body/text", ""), 400))
                .isEqualTo("v: missing (expected: a text)");
        assertThat(problem(gateway().get("/body/text"), 400)).isEqualTo("v: missing (expected: a text)");
        assertThat(problem(gateway().post("/body/text", "  "), 400))
                .isEqualTo("body (expected: a JSON object)");
    }

    @Test
    default void membersWithoutAParameterAreIgnored() throws Exception {
        assertThat(ok(gateway().post("/body/text", "{\"a\":1,\"v\":\"x\",\"z\":null}")))
                .isEqualTo("{\"v\":\"x\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "application/json", "Application/JSON; charset=utf-8", "application/merge-patch+json",
    })
    default void aBodyMaySayThatItIsJson(String contentType) throws Exception {
        assertThat(ok(gateway().send(gateway().request("/body/text").header("Content-Type", contentType)
                .POST(BodyPublishers.ofString("{\"v\":\"x\"}"))))).isEqualTo("{\"v\":\"x\"}");
    }

    @ParameterizedTest
    @CsvSource({"br, 415", "'identity, br', 415", "Identity, 200", "deflate, 400"})
    default void aBodyOfAnUnknownCodingGets415(String coding, int status) throws Exception {
        HttpResponse<String> answer = gateway().send(gateway().request("/body/text")
                .header("Content-Encoding", coding).POST(BodyPublishers.ofString("{\"v\":\"x\"}")));

        assertThat(answer.statusCode()).isEqualTo(status);
        if (status == 415) {
            assertThat(problem(answer, 415)).isEqualTo(
                    "content-encoding: " + coding + " (expected: at most 2 of gzip, deflate, zstd)");
            assertThat(answer.headers().firstValue("Accept-Encoding")).hasValue("gzip, deflate, zstd");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "text/plain", "application/x-www-form-urlencoded; charset=latin1", "multipart/form-data",
        "json", "text/x+json", ";",
    })
    default void aBodyThatSaysItIsSomethingElseGets415(String contentType) throws Exception {
        assertThat(problem(gateway().send(gateway().request("/body/text").header("Content-Type", contentType)
                .POST(BodyPublishers.ofString("{\"v\":\"x\"}"))), 415))
                .isEqualTo("content-type: " + contentType + " (expected: application/json, "
                        + "application/x-www-form-urlencoded, multipart/form-data, in UTF-8)");
    }

    /** RFC 5789 section 2.2. */
    @Test
    default void aPatchOfAnotherTypeIsToldTheTypes() throws Exception {
        HttpResponse<String> answer = gateway().send(gateway().request("/documents/1")
                .header("Content-Type", "text/csv").method("PATCH", BodyPublishers.ofString("a")));

        assertThat(problem(answer, 415)).startsWith("content-type: text/csv");
        assertThat(answer.headers().firstValue("accept-patch"))
                .hasValue("application/json, application/x-www-form-urlencoded, multipart/form-data");
    }
}
