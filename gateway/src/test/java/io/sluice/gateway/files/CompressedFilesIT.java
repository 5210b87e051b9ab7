package io.sluice.gateway.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RunningGateway;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compression of files while they are sent, whether they are read at once or in pieces. */
class CompressedFilesIT {
    private static final String SCRIPT = "function answer(question) { return 6 * 9; }\n";
    private static final int LARGE = 10_000;
    @TempDir
    private static Path folder;
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws IOException {
        file("small.js", SCRIPT.repeat(100));
        file("large.js", SCRIPT.repeat(LARGE));
        file("tiny.js", SCRIPT);
        file("large.png", SCRIPT.repeat(LARGE));
        gateway = RunningGateway.start("""
                sluice.offload.pools.disk { workers = 2 }
                sluice.handler-defaults.files { directory = "%s", pool = disk }
                sluice.route-defaults.compression { encodings = [gzip] }
                sluice.routes {
                  files { path = "/f/**", handler = files }
                  plain { path = "/plain/**", handler = files, compression = null }
                }
                """.formatted(folder));
    }

    private static void file(String name, String content) throws IOException {
        Path file = Files.writeString(folder.resolve(name), content);
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2024-06-15T12:00:00Z")));
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static HttpResponse<byte[]> get(String target, String... headers) throws Exception {
        HttpRequest.Builder request = gateway.request(target).header("Accept-Encoding", "gzip");
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return gateway.client().send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse(null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"small.js", "large.js"})
    void haveOneWeakTagAndNoRanges(String name) throws Exception {
        HttpResponse<byte[]> answer = get("/f/" + name);
        String whole = new String(new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes(),
                StandardCharsets.US_ASCII);

        assertThat(whole).isEqualTo(SCRIPT.repeat(name.startsWith("s") ? 100 : LARGE));
        assertThat(header(answer, "Content-Encoding")).isEqualTo("gzip");
        assertThat(header(answer, "Accept-Ranges")).isNull();
        String tag = header(answer, "ETag");
        assertThat(tag).startsWith("W/\"");
        HttpResponse<byte[]> again = get("/f/" + name, "If-None-Match", tag);
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(header(again, "ETag")).isEqualTo(tag);
        assertThat(header(again, "Vary")).isEqualTo("accept-encoding");
        assertThat(header(get("/plain/" + name), "ETag")).isEqualTo(tag.substring(2));
    }

    @Test
    void rangesAreOfTheUncompressedFile() throws Exception {
        HttpResponse<byte[]> answer = get("/f/large.js", "Range", "bytes=0-99999");

        assertThat(answer.statusCode()).isEqualTo(206);
        assertThat(header(answer, "Content-Encoding")).isNull();
        assertThat(header(answer, "Vary")).isEqualTo("accept-encoding");
        assertThat(header(get("/f/tiny.js", "Range", "bytes=0-1"), "Vary")).isNull();
        assertThat(header(get("/f/large.png", "Range", "bytes=0-1"), "Vary")).isNull();
        assertThat(new String(answer.body(), StandardCharsets.US_ASCII))
                .isEqualTo(SCRIPT.repeat(LARGE).substring(0, 100_000));
        // A weak tag does not identify the bytes that the client has a part of.
        String weak = header(get("/f/large.js"), "ETag");
        assertThat(get("/f/large.js", "Range", "bytes=0-1", "If-Range", weak).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/f/tiny.js", "/f/large.png", "/plain/large.js"})
    void smallOrIncompressibleFilesAreSentUnchanged(String target) throws Exception {
        HttpResponse<byte[]> answer = get(target);

        assertThat(header(answer, "Content-Encoding")).isNull();
        assertThat(header(answer, "Vary")).isNull();
        assertThat(answer.body()).hasSize((int) Files.size(folder.resolve(target.replaceFirst(".*/", ""))));
        HttpResponse<byte[]> again = get(target, "If-None-Match", header(answer, "ETag"));
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(header(again, "Vary")).isNull();
    }
}
