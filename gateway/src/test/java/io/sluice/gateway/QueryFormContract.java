package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Parameters from forms, and from compressed bodies. */
interface QueryFormContract extends QuerySubject {
    String URL_ENCODED = "application/x-www-form-urlencoded";

    private HttpResponse<String> form(String path, String type, byte[] body) throws Exception {
        HttpRequest.Builder request = gateway().request(path).header("Content-Type", type)
                .POST(BodyPublishers.ofByteArray(body));
        return gateway().send(request);
    }

    private HttpResponse<String> form(String body) throws Exception {
        return form("/form/5", URL_ENCODED, body.getBytes(UTF_8));
    }

    private static byte[] part(String disposition, byte[] value) {
        var part = new ByteArrayOutputStream();
        part.writeBytes(("--b\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n")
                .getBytes(UTF_8));
        part.writeBytes(value);
        part.writeBytes("\r\n".getBytes(UTF_8));
        return part.toByteArray();
    }

    private HttpResponse<String> multipart(byte[]... parts) throws Exception {
        var body = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            body.writeBytes(part);
        }
        body.writeBytes("--b--\r\n".getBytes(UTF_8));
        return form("/form/5", "multipart/form-data; boundary=b", body.toByteArray());
    }

    @Test
    default void fieldsAreParameters() throws Exception {
        assertThat(ok(form("name=it%27s+a+%C3%BC&price=9.5&count=2&photo=3q2%2B7w%3D%3D&ids=1&ids=2&ids=0"
                + "&at=2026-01-31T10%3A00&other=1&id=6")))
                .isEqualTo("{\"id\":5,\"name\":\"it's a ü\",\"price\":9.50,\"amount\":2,\"amount_sent\":true,"
                        + "\"photo_length\":4,\"at\":\"2026-01-31T10:00:00\",\"found\":2}");
    }

    @Test
    default void aMissingFieldIsTheDefaultAndAnEmptyOneNull() throws Exception {
        assertThat(ok(form("name=&price=1"))).startsWith(
                "{\"id\":5,\"name\":\"\",\"price\":1.00,\"amount\":7,\"amount_sent\":false,");
        assertThat(ok(form("name=&price=1&count=&at="))).contains("\"amount\":null,\"amount_sent\":true,");
        assertThat(ok(form("name=&price=1&ids="))).endsWith("\"found\":0}");
        assertThat(problem(form("name=&price=1&ids=&ids=1"), 400)).isEqualTo(
                "ids:  (expected: a whole number)");
        assertThat(problem(form("name=a&price="), 400)).isEqualTo(
                "price:  (expected: a number, such as 12.50)");
    }

    @Test
    default void allMistakesAreToldByTheNamesOfFields() throws Exception {
        HttpResponse<String> answer = form("/form/x", URL_ENCODED,
                "price=a&count=1&count=2&ids=1&ids=b".getBytes(UTF_8));

        assertThat(problem(answer, 400)).isEqualTo("id: x (expected: a whole number) (and 4 more)");
        assertThat(JSON.readTree(answer.body()).get("errors")).hasToString(
                "[{\"parameter\":\"id\",\"detail\":\"x (expected: a whole number)\"},"
                        + "{\"parameter\":\"name\",\"detail\":\"missing (expected: a text)\"},"
                        + "{\"parameter\":\"price\",\"detail\":\"a (expected: a number, such as 12.50)\"},"
                        + "{\"parameter\":\"count\",\"detail\":\"given 2 times (expected: once)\"},"
                        + "{\"parameter\":\"ids\",\"detail\":\"b (expected: a whole number)\"}]");
    }

    @Test
    default void aFileIsTheBytesOfAParameter() throws Exception {
        byte[] photo = new byte[3_000_000];
        byte[] name = part("name=\"name\"", "ü".getBytes(UTF_8));
        byte[] price = part("name=price", "1".getBytes(UTF_8));

        assertThat(ok(multipart(name, price, part("name=photo; filename=\"a.png\"", photo))))
                .contains("\"name\":\"ü\"", "\"photo_length\":3000000,");
        assertThat(ok(multipart(name, price, part("name=photo; filename=\"\"", new byte[0]))))
                .contains("\"photo_length\":null,");
        assertThat(ok(multipart(name, price, part("name=photo; filename=\"\"", new byte[0]),
                part("name=photo; filename=x", new byte[5])))).contains("\"photo_length\":5,");
        assertThat(ok(multipart(name, price, part("name=photo\r\nContent-Type: application/octet-stream",
                "abcd".getBytes(UTF_8))))).contains("\"photo_length\":4,");
        assertThat(ok(multipart(name, price, part("name=photo\r\nContent-Type: application/octet-stream",
                new byte[0])))).contains("\"photo_length\":0,");
        assertThat(problem(multipart(name, part("name=price; filename=a", new byte[1])), 400))
                .isEqualTo("price: a file (expected: a number, such as 12.50)");
        assertThat(problem(multipart(name, price, part("name=photo", "a".getBytes(UTF_8))), 400))
                .isEqualTo("photo: a (expected: base64, such as 3q2+7w==)");
    }

    @Test
    default void aFieldMayBeJson() throws Exception {
        ok(send("DELETE", "/documents", null));

        ok(form("/documents", URL_ENCODED, "id=1&doc={\"a\":[1]}".getBytes(UTF_8)));
        assertThat(problem(form("/documents", URL_ENCODED, "id=2&doc={\"a\":[1}".getBytes(UTF_8)), 400))
                .isEqualTo("doc: {\"a\":[1} (expected: a JSON value)");
        assertThat(JSON.readTree(ok(gateway().get("/documents/1"))).at("/doc/a/0").asInt()).isEqualTo(1);
    }

    @Test
    default void malformedFormsGet400() throws Exception {
        assertThat(problem(form("name=%"), 400))
                .isEqualTo("body (expected: a form with two hexadecimal digits behind each %)");
        assertThat(problem(form("/form/5", "multipart/form-data; boundary=c", new byte[20_000]), 400))
                .isEqualTo("body (expected: multipart/form-data with its delimiters, whole)");
        byte[][] parts = new byte[100_000][];
        Arrays.fill(parts, part("name=name", new byte[0]));
        assertThat(problem(multipart(parts), 400))
                .isEqualTo("body (expected: a form of at most 1024 fields)");
    }

    @Test
    default void compressedBodiesAreAsTheyWereBefore() throws Exception {
        var gzip = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(gzip)) {
            out.write(("name=" + "a".repeat(1_000_000) + "&price=1").getBytes(UTF_8));
        }
        assertThat(ok(gateway().send(gateway().request("/form/5").header("Content-Type", URL_ENCODED)
                .header("Content-Encoding", "gzip").POST(BodyPublishers.ofByteArray(gzip.toByteArray())))))
                .contains("a".repeat(1_000_000) + "\",\"price\":1.00");
        byte[] zstd = Zstd.compress("{\"v\":\"x\"}".getBytes(UTF_8));
        assertThat(ok(gateway().send(gateway().request("/body/text").header("Content-Encoding", "zstd")
                .POST(BodyPublishers.ofByteArray(zstd))))).isEqualTo("{\"v\":\"x\"}");
        assertThat(problem(gateway().send(gateway().request("/body/text").header("Content-Encoding", "zstd")
                .POST(BodyPublishers.ofByteArray(Zstd.compress(new byte[100_000])))), 413))
                .isEqualTo("the decoded body is too large (expected: at most 2048 bytes)");
    }
}
