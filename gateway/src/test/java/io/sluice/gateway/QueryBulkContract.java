package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Many rows in one body. The database {@code one} has a pool of one worker. */
interface QueryBulkContract extends QuerySubject {
    Duration PATIENCE = Duration.ofSeconds(60);

    private HttpResponse<String> bulk(String path, String type, String coding, byte[] body) throws Exception {
        return gateway().send(gateway().request(path).timeout(Duration.ofMinutes(5))
                .header("Content-Type", type)
                .header("Content-Encoding", coding).POST(BodyPublishers.ofByteArray(body)));
    }

    private HttpResponse<String> bulk(String body) throws Exception {
        return bulk("/bulk/1", "application/json", "identity", body.getBytes(UTF_8));
    }

    private static byte[] gzip(byte[] bytes) throws Exception {
        var coded = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(coded)) {
            out.write(bytes);
        }
        return coded.toByteArray();
    }

    private static String array(int rows) {
        return IntStream.range(0, rows).mapToObj("{\"name\":\"%d\",\"price\":1.50}"::formatted)
                .collect(Collectors.joining(",\n", "[", "]\n"));
    }

    private void clear() throws Exception {
        ok(send("DELETE", "/items", null));
    }

    private long items() throws Exception {
        return JSON.readTree(ok(gateway().get("/one/item-count"))).get("items").asLong();
    }

    @Test
    default void rowsOfAnArrayAreInserted() throws Exception {
        clear();

        assertThat(ok(bulk(" [ {\"name\":\"a \\\\\\\"]},{\"} , {\"name\":\"b\",\"price\":null},"
                + "{\"name\":\"c\",\"price\":2}]"))).isEqualTo("{\"rows\":3}");
        assertThat(ok(gateway().get("/items"))).isEqualTo("[{\"name\":\"a \\\\\\\"]},{\",\"price\":1.00},"
                + "{\"name\":\"b\",\"price\":null},{\"name\":\"c\",\"price\":2.00}]");
        assertThat(ok(bulk("[]"))).isEqualTo("{\"rows\":0}");
    }

    @Test
    default void linesAreRows() throws Exception {
        clear();

        assertThat(ok(bulk("/bulk/1", "application/x-ndjson", "identity",
                "{\"name\":\"a\"}\r\n\n{\"name\":\"b\"}".getBytes(UTF_8)))).isEqualTo("{\"rows\":2}");
        assertThat(items()).isEqualTo(2);
        assertThat(ok(bulk("/bulk/1", "application/x-ndjson", "identity", new byte[0])))
                .isEqualTo("{\"rows\":0}");
    }

    /** Longer than what is in memory, and not a multiple of a batch. */
    @Test
    default void manyRowsAreInserted() throws Exception {
        clear();

        assertThat(ok(bulk(array(20_001)))).isEqualTo("{\"rows\":20001}");
        assertThat(items()).isEqualTo(20_001);
        clear();
        assertThat(ok(bulk("/bulk/1", "application/json", "gzip", gzip(array(10_000).getBytes(UTF_8)))))
                .isEqualTo("{\"rows\":10000}");
        assertThat(items()).isEqualTo(10_000);
        clear();
    }

    @Test
    default void mistakesNameTheirRowsAndNothingIsInserted() throws Exception {
        clear();

        HttpResponse<String> answer = bulk("[{\"name\":\"a\"},{\"price\":\"x\"},7,"
                + "{\"name\":\"b\",\"price\":true},{\"name\":}]");
        assertThat(problem(answer, 400)).isEqualTo("1/name: missing (expected: a text) (and 4 more)");
        assertThat(JSON.readTree(answer.body()).get("errors")).hasToString("["
                + "{\"pointer\":\"#/1/name\",\"detail\":\"missing (expected: a text)\"},"
                + "{\"pointer\":\"#/1/price\",\"detail\":\"x (expected: a number, such as 12.50)\"},"
                + "{\"pointer\":\"#/2\",\"detail\":\"body (expected: a JSON object)\"},"
                + "{\"pointer\":\"#/3/price\",\"detail\":\"true (expected: a number, such as 12.50)\"},"
                + "{\"pointer\":\"#/4\",\"detail\":\"body (expected: a JSON object; column 9 is wrong)\"}]");

        String late = array(1000).replace("]", "") + ",{}".repeat(200) + ']';
        answer = bulk(late);
        assertThat(problem(answer, 400)).startsWith("1000/name: missing (expected: a text)");
        assertThat(JSON.readTree(answer.body()).get("errors")).hasSize(100);
        assertThat(problem(bulk("/bulk/x", "application/json", "identity", new byte[0]), 400))
                .isEqualTo("customer: x (expected: a whole number)");
        assertThat(items()).isZero();
    }

    @Test
    default void rejectedRowsAreReportedAndTheImportIsRolledBack() throws Exception {
        clear();

        assertThat(problem(bulk(array(250).replace("\"249\"", "\"120\"")), 409))
                .isEqualTo("rows 200..249: conflicts with what is stored");
        assertThat(problem(bulk(array(250).replace("\"130\"", "\"" + "x".repeat(21) + "\"")), 422))
                .isEqualTo("rows 100..199: a value does not fit");
        String padding = "{\"z\":\"" + "z".repeat(600_000) + "\",\"name\":";
        assertThat(problem(bulk(array(4).replace("{\"name\":", padding).replace("\"3\"", "\"0\"")), 409))
                .as("a batch has a MiB").isEqualTo("rows 2..3: conflicts with what is stored");
        assertThat(items()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "``", "{\"name\":\"a\"}", "[{\"name\":\"a\"}", "[{\"name\":\"a\"}]]", "[{\"name\":\"a\"}] []",
        "[\"", "7", "[{\"name\":\"a\"", "[{\"name\":\"a\"},",
    })
    default void bodiesOtherThanAnArrayGet400(String body) throws Exception {
        clear();

        assertThat(problem(bulk(body), 400)).isEqualTo("body (expected: a JSON array of objects, whole)");
        assertThat(items()).isZero();
    }

    @Test
    default void rowsAndBytesAreBounded() throws Exception {
        clear();
        String path = "/bulk-small/1";

        assertThat(ok(bulk(path, "application/json", "identity", array(3).getBytes(UTF_8))))
                .isEqualTo("{\"rows\":3}");
        clear();
        assertThat(problem(bulk(path, "application/json", "identity", array(4).getBytes(UTF_8)), 413))
                .isEqualTo("the body has too many rows (expected: at most 3)");
        byte[] spaces = ("[" + " ".repeat(2_000_000) + "]").getBytes(UTF_8);
        assertThat(problem(bulk(path, "application/json", "gzip", gzip(spaces)), 413))
                .isEqualTo("the decoded body is too large (expected: at most 1048576 bytes)");
        assertThat(problem(bulk(path, "application/json", "identity", spaces), 413))
                .isEqualTo("the body is too large (expected: at most 1048576 bytes)");
        assertThat(problem(bulk("[{\"name\":\"" + "x".repeat(1_100_000)), 400))
                .isEqualTo("body (expected: rows of at most 1048576 bytes)");
        assertThat(items()).isZero();
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
            application/json ; charset=utf-8,     [{"name":"a"}]
            application/vnd.api+json,             [{"name":"a"}]
            Application/X-NDJSON ; charset=utf-8, {"name":"a"}
            """)
    default void aTypeMayHaveParametersAndASuffix(String type, String body) throws Exception {
        clear();

        assertThat(ok(bulk("/bulk/1", type, "identity", body.getBytes(UTF_8)))).isEqualTo("{\"rows\":1}");
    }

    @Test
    default void otherTypesAndCodingsGet415() throws Exception {
        assertThat(problem(bulk("/bulk/1", "text/csv", "identity", new byte[0]), 415))
                .isEqualTo("content-type: text/csv (expected: application/json or application/x-ndjson)");
        HttpResponse<String> answer = bulk("/bulk/1", "application/json", "zstd", new byte[0]);
        assertThat(problem(answer, 415)).isEqualTo("content-encoding: zstd (expected: gzip or deflate)");
        assertThat(answer.headers().firstValue("accept-encoding")).hasValue("gzip, deflate");
        byte[] cut = Arrays.copyOf(gzip(array(9).getBytes(UTF_8)), 40);
        assertThat(problem(bulk("/bulk/1", "application/json", "gzip", cut), 400))
                .isEqualTo("body (expected: gzip, whole and valid)");
    }

    /** A second part of which nothing can be read would otherwise be left out. */
    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate"})
    default void bytesBehindTheEndOfACodedBodyGet400(String coding) throws Exception {
        clear();
        var coded = new ByteArrayOutputStream();
        try (OutputStream out = coding.equals("gzip") ? new GZIPOutputStream(coded)
                : new DeflaterOutputStream(coded)) {
            out.write(array(9).getBytes(UTF_8));
        }
        assertThat(ok(bulk("/bulk/1", "application/json", coding, coded.toByteArray())))
                .isEqualTo("{\"rows\":9}");
        clear();
        coded.write(new byte[100]);

        assertThat(problem(bulk("/bulk/1", "application/json", coding, coded.toByteArray()), 400))
                .isEqualTo("body (expected: " + coding + ", whole and valid)");
        assertThat(items()).isZero();
    }

    @Test
    default void aSlowUploadHoldsNoWorkerAndIsDroppedWithItsClient() throws Exception {
        clear();
        String body = array(20_000);
        try (RawClient slow = gateway().connect()) {
            slow.send("POST /bulk/1 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                    + body.length() + "\r\n\r\n" + body.substring(0, body.length() - 1000));
            await().atMost(PATIENCE).until(() -> gateway().getAdmin("/metrics").body().lines()
                    .anyMatch(line -> line.startsWith("sluice_spill_used_bytes")
                            && Double.parseDouble(line.substring(line.lastIndexOf(' '))) > 500_000));
            ok(gateway().get("/one/quick"));
            assertThat(items()).isZero();

            slow.send(body.substring(body.length() - 1000));
            assertThat(slow.read().body()).isEqualTo("{\"rows\":20000}");
        }
        clear();
        try (RawClient leaving = gateway().connect()) {
            leaving.send("POST /bulk/1 HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n"
                    + body.substring(0, body.length() - 1000));
        }
        await().atMost(PATIENCE).until(() -> gateway().getAdmin("/metrics").body().lines()
                .anyMatch(line -> line.startsWith("sluice_spill_used_bytes") && line.endsWith(" 0.0")));
        assertThat(items()).isZero();
    }
}
