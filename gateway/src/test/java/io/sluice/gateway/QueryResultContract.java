package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Locale;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Contract of the representations of results and their entity tags. */
interface QueryResultContract extends QuerySubject {

    default HttpResponse<String> get(String target, String header, String value) throws Exception {
        return gateway().send(gateway().request(target).header(header, value));
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse(null);
    }

    @Test
    default void acceptOfCsvGetsCsv() throws Exception {
        HttpResponse<String> answer = get("/results", "Accept", "text/csv");

        assertThat(answer.body()).isEqualTo("big,price,text,nothing,small,yes,half\r\n"
                + "9007199254740993,0.10,\"a, \"\"b\"\"\",,7,true,0.5\r\n2,0.20,\"\",x,8,false,1.5\r\n");
        assertThat(header(answer, "content-type")).isEqualTo("text/csv; charset=utf-8");
        assertThat(header(answer, "vary")).isEqualToIgnoringCase("accept");
        assertThat(header(answer, "cache-control")).isEqualTo("max-age=60");
        assertThat(get("/results/7", "Accept", "text/csv").body()).isEqualTo("id,country\r\n7,FR\r\n");
        assertThat(get("/result-arrays", "Accept", "text/csv").body())
                .isEqualTo("numbers,x\r\n\"[1,2]\",x\r\n");
    }

    @Test
    default void acceptOfNdjsonGetsLinesOfJson() throws Exception {
        HttpResponse<String> answer = get("/results", "Accept", "application/x-ndjson");

        assertThat(answer.body().replace(",\"", ", \"")).isEqualTo("""
                {"big":9007199254740993, "price":0.10, "text":"a, \\"b\\"", "nothing":null, \
                "small":7, "yes":true, "half":0.5}
                {"big":2, "price":0.20, "text":"", "nothing":"x", "small":8, "yes":false, "half":1.5}
                """);
        assertThat(header(answer, "content-type")).isEqualTo("application/x-ndjson");
        assertThat(get("/results/7", "Accept", "application/x-ndjson").body())
                .isEqualTo("{\"id\":7,\"country\":\"FR\"}\n");
    }

    @Test
    default void ieee754CompatibleLongsAreStrings() throws Exception {
        HttpResponse<String> answer = get("/results", "Accept", "application/json;IEEE754Compatible=true");

        assertThat(answer.body()).startsWith("[{\"big\":\"9007199254740993\",\"price\":\"0.10\",")
                .contains("\"small\":7,\"yes\":true,\"half\":0.5}");
        assertThat(header(answer, "content-type")).isEqualTo("application/json;IEEE754Compatible=true");
        String lines = "application/x-ndjson;IEEE754Compatible=true";
        assertThat(get("/results", "Accept", lines).body())
                .startsWith("{\"big\":\"9007199254740993\",\"price\":\"0.10\",")
                .contains("\"small\":7,\"yes\":true,\"half\":0.5}\n{\"big\":\"2\",");
        assertThat(get("/long-arrays", "Accept", lines).body())
                .isEqualTo("{\"longs\":[\"9007199254740993\",null],\"prices\":[\"0.10\"],\"ints\":[7]}\n");
        assertThat(get("/long-arrays", "Accept", "application/json").body())
                .isEqualTo("[{\"longs\":[9007199254740993,null],\"prices\":[0.10],\"ints\":[7]}]");
    }

    @Test
    default void unsupportedAcceptGets406() throws Exception {
        HttpResponse<String> answer = get("/results", "Accept", "application/xml");

        assertThat(problem(answer, 406)).isEqualTo(
                "Accept (expected: application/json, text/csv or application/x-ndjson)");
        assertThat(header(answer, "vary")).isEqualToIgnoringCase("accept");
    }

    @Test
    default void aValueIsTheWholeAnswer() throws Exception {
        HttpResponse<String> answer = gateway().get("/values/7");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("Hiro Adeyemi 7");
        assertThat(header(answer, "content-type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(header(answer, "vary")).isNull();

        HttpResponse<String> none = gateway().get("/values/8");
        assertThat(none.statusCode()).isEqualTo(204);
        assertThat(header(none, "content-type")).isNull();
        assertThat(problem(gateway().get("/values/9"), 404)).isEqualTo("no such row");
        problem(gateway().get("/two-values"), 500);
    }

    @Test
    default void bytesAreTheWholeAnswer() throws Exception {
        HttpResponse<byte[]> photo = gateway().client().send(gateway().request("/photo?photo=3gDv").build(),
                HttpResponse.BodyHandlers.ofByteArray());

        assertThat(photo.headers().firstValue("content-type")).hasValue("image/png");
        assertThat(photo.body()).isEqualTo(new byte[] {(byte) 0xDE, 0, (byte) 0xEF});
        assertThat(gateway().get("/photo").statusCode()).isEqualTo(204);
    }

    @Test
    default void aVersionIsTheTagOfARowAndIsNotInIt() throws Exception {
        HttpResponse<String> answer = gateway().get("/versioned/7");

        assertThat(ok(answer)).isEqualTo("{\"id\":7,\"country\":\"FR\"}");
        assertThat(header(answer, "etag")).isEqualTo("\"v%207\"");
        assertThat(header(send("HEAD", "/versioned/7", null), "etag")).isEqualTo("\"v%207\"");
        assertThat(header(get("/versioned/7", "Accept", "text/csv"), "etag")).isEqualTo("\"v%207;csv\"");
        assertThat(header(gateway().get("/hashed-value"), "etag")).isEqualTo("\"1\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            If-None-Match | "v%207"         | 304
            If-None-Match | W/"v%207", "x"  | 304
            If-None-Match | *               | 304
            If-None-Match | "v%208"         | 200
            If-None-Match | "v%207;csv"     | 200
            If-Match      | "v%207"         | 200
            If-Match      | "v%208"         | 412
            """)
    default void aConditionOfTheTagHolds(String name, String value, int status) throws Exception {
        HttpResponse<String> answer = get("/versioned/7", name, value);

        assertThat(answer.statusCode()).isEqualTo(status);
        if (status == 304) {
            assertThat(answer.body()).isEmpty();
            assertThat(header(answer, "etag")).isEqualTo("\"v%207\"");
            assertThat(header(answer, "cache-control")).isEqualTo("no-cache");
            assertThat(header(answer, "vary")).isEqualToIgnoringCase("accept");
        }
    }

    /** RFC 9110 sections 13.1.1 and 13.1.2: there is a current representation, of which no tag is known. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            If-None-Match | *   | 304
            If-None-Match | "3" | 200
            If-None-Match | ""  | 200
            If-Match      | *   | 200
            If-Match      | "3" | 412
            """)
    default void aRowWithoutAVersionIsAStateWithoutATag(String name, String value, int status)
            throws Exception {
        HttpResponse<String> answer = get("/null-version", name, value);

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(header(answer, "etag")).isNull();
    }

    /** Drivers change how they read bytes at about the sixth execution of a statement. */
    @RepeatedTest(7)
    default void aVersionMayBeBytes() throws Exception {
        assertThat(header(gateway().get("/one/bytes-version"), "etag")).isEqualTo("\"\\xc3a4\"");
    }

    @Test
    default void aHashIsTheTagOfALongRow() throws Exception {
        HttpResponse<String> answer = gateway().get("/hashed/7");
        String tag = header(answer, "etag");

        assertThat(ok(answer)).hasSizeGreaterThan(100_000);
        assertThat(tag).matches("\"[A-Za-z0-9_-]{22}\"");
        assertThat(get("/hashed/7", "If-None-Match", tag).statusCode()).isEqualTo(304);
        assertThat(header(gateway().get("/hashed/8"), "etag")).isNotEqualTo(tag);
        assertThat(header(get("/hashed/7", "Accept", "text/csv"), "etag")).isNotEqualTo(tag);
    }

    @Test
    default void aShortResultSaysInItsHeadWhetherItIsCutOff() throws Exception {
        assertThat(header(gateway().get("/limited/3"), "truncated")).isNull();
        HttpResponse<String> cut = gateway().get("/limited/4");
        assertThat(header(cut, "truncated")).isEqualTo("true");
        assertThat(ok(cut)).isEqualTo("[{\"id\":1},{\"id\":2},{\"id\":3}]");
    }

    @ParameterizedTest
    @CsvSource({"1000, false", "1001, true"})
    default void aLongResultSaysBehindItsBodyWhetherItIsCutOff(int rows, String truncated) throws Exception {
        try (RawClient client = gateway().connect()) {
            client.send("GET /limited-late/" + rows + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            String answer = new String(client.socket().getInputStream().readAllBytes(), UTF_8);

            assertThat(answer).containsIgnoringCase("\r\ntrailer: truncated\r\n").contains("{\"n\":1000,")
                    .doesNotContain("{\"n\":1001,");
            assertThat(answer.toLowerCase(Locale.ROOT)).endsWith(
                    "\r\n0\r\ntruncated: " + truncated + "\r\n\r\n");
        }
    }
}
