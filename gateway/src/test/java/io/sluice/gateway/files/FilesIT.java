package io.sluice.gateway.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Static files: names, methods, conditions and ranges. */
class FilesIT {
    private static final String CHANGED = "Sat, 15 Jun 2024 12:00:00 GMT";
    @TempDir
    private static Path folder;
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws IOException {
        Path root = Files.createDirectories(folder.resolve("root/sub"));
        Files.createDirectories(folder.resolve("root/.well-known"));
        file("root/index.html", "<p>index</p>");
        file("root/sub/index.html", "<p>sub</p>");
        file("root/digits.txt", "0123456789");
        file("root/empty.css", "");
        file("root/no-ending", "?");
        file("root/.secret", "secret");
        file("root/.well-known/security.txt", "Contact: nobody");
        file("secret", "secret");
        Files.createSymbolicLink(root.resolve("out"), Path.of("../../secret"));
        gateway = RunningGateway.start("""
                sluice.offload.pools.disk { workers = 2 }
                sluice.routes {
                  all { path = "/**", handler = files, directory = "%1$s/root", pool = disk }
                  files { path = "/f/**", handler = files, directory = "%1$s/root", pool = disk
                    cache-control = "max-age=60" }
                }
                """.formatted(folder));
    }

    private static void file(String name, String content) throws IOException {
        file(name, content, "2024-06-15T12:00:00Z");
    }

    private static void file(String name, String content, String changed) throws IOException {
        Path file = Files.writeString(folder.resolve(name), content);
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse(changed)));
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static RawClient.Answer ask(String method, String target, String... headers) throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send(method + ' ' + target + " HTTP/1.1\r\n"
                    + String.join("\r\n", headers) + (headers.length > 0 ? "\r\n" : "") + "Host: a\r\n\r\n");
            RawClient.Answer answer = method.equals("HEAD") ? client.readHead() : client.read();
            assertThat(client.send("GET /digits.txt HTTP/1.1\r\nHost: a\r\n\r\n").read().body())
                    .isEqualTo("0123456789");
            return answer;
        }
    }

    @Test
    void fileHasItsValidatorsTypeAndCaching() throws IOException {
        RawClient.Answer answer = ask("GET", "/f/digits.txt");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("0123456789");
        assertThat(answer.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(answer.header("Last-Modified")).isEqualTo(CHANGED);
        assertThat(answer.header("ETag")).isEqualTo("\"a-17d92bb783468000\"");
        assertThat(answer.header("Accept-Ranges")).isEqualTo("bytes");
        assertThat(answer.header("Cache-Control")).isEqualTo("max-age=60");
        assertThat(ask("GET", "/digits.txt").header("Cache-Control")).isNull();
        RawClient.Answer head = ask("HEAD", "/f/digits.txt", "Range: bytes=0-1");
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.headers()).filteredOn(header -> !header.matches("(?i)(date|x-request-id):.*"))
                .containsAll(answer.headers().stream()
                        .filter(header -> !header.matches("(?i)(date|x-request-id):.*")).toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /                              | 200 | <p>index</p>
            /f/                            | 200 | <p>index</p>
            /f/sub/                        | 200 | <p>sub</p>
            /f/./sub//../sub/index.html    | 200 | <p>sub</p>
            /f/digits.txt?a=/../..         | 200 | 0123456789
            /f/%64igits.txt                | 200 | 0123456789
            /f/no-ending                   | 200 | ?
            /f/.well-known/security.txt    | 200 | Contact: nobody
            /f                             | 301 | /f/
            /f?a=b                         | 301 | /f/?a=b
            /f/sub                         | 301 | /f/sub/
            /sub                           | 301 | /sub/
            //sub                          | 301 | /sub/
            /f/none                        | 404 | -
            /f/digits.txt/                 | 404 | -
            /f/digits.txt/a                | 404 | -
            /f/.secret                     | 404 | -
            /f/sub/out                     | 404 | -
            /f/../../secret                | 400 | -
            /../secret                     | 400 | -
            /f/%2e%2e/%2e%2e/secret        | 400 | -
            /f/.%2e/secret                 | 404 | -
            /f/..%2fsecret                 | 404 | -
            /f/..%2Fsecret                 | 404 | -
            /f/sub%2f..%2f..%2fsecret      | 404 | -
            /f/%252e%252e/secret           | 404 | -
            /f/..%252fsecret               | 404 | -
            /f/..%5csecret                 | 404 | -
            /f/..\\secret                  | 400 | -
            /f/%c0%ae%c0%ae/secret         | 400 | -
            /f/..%c0%afsecret              | 400 | -
            /f/%u002e%u002e/secret         | 400 | -
            /f/%e2%80%ae                   | 404 | -
            /f/digits.txt%00               | 400 | -
            /f/digits.txt%00.html          | 400 | -
            /f/..;/secret                  | 404 | -
            """)
    void onlyFilesBelowTheRootAreServed(String target, int status, String content) throws IOException {
        try (RawClient client = gateway.connect()) {
            RawClient.Answer answer = client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n").read();

            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.body()).doesNotContain("secret");
            if (status == 200) {
                assertThat(answer.body()).isEqualTo(content);
            } else if (status == 301) {
                assertThat(answer.header("Location")).isEqualTo(content);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            digits.txt | bytes=2-4    | 206 | 234        | bytes 2-4/10
            digits.txt | bytes=7-     | 206 | 789        | bytes 7-9/10
            digits.txt | bytes=-2     | 206 | 89         | bytes 8-9/10
            digits.txt | bytes=0-     | 206 | 0123456789 | bytes 0-9/10
            digits.txt | bytes=8-1000 | 206 | 89         | bytes 8-9/10
            digits.txt | bytes=10-    | 416 |            | bytes */10
            digits.txt | bytes=-0     | 416 |            | bytes */10
            digits.txt | bytes=4-2    | 200 | 0123456789 |
            digits.txt | lines=1-2    | 200 | 0123456789 |
            digits.txt | bytes=0-1,4-5 | 200 | 0123456789 |
            digits.txt | bytes=99999999999999999999-99999999999999999999 | 416 | | bytes */10
            empty.css  | bytes=0-     | 200 |            |
            empty.css  | bytes=-5     | 200 |            |
            """)
    void rangeRequestsGetAPart(String name, String range, int status, String content,
                                            String contentRange) throws IOException {
        RawClient.Answer answer = ask("GET", "/f/" + name, "Range: " + range);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("Content-Range")).isEqualTo(contentRange);
        if (status != 416) {
            assertThat(answer.body()).isEqualTo(content == null ? "" : content);
        }
    }

    @Test
    void conditionalRequestsAreEvaluated() throws IOException {
        String tag = ask("GET", "/f/digits.txt").header("ETag");
        RawClient.Answer answer = ask("GET", "/f/digits.txt", "If-None-Match: W/" + tag, "Range: bytes=0-1");

        assertThat(answer.status()).isEqualTo(304);
        assertThat(answer.header("ETag")).isEqualTo(tag);
        assertThat(answer.header("Cache-Control")).isEqualTo("max-age=60");
        assertThat(answer.header("Content-Length")).isNull();
        assertThat(answer.header("Content-Type")).isNull();
        assertThat(ask("HEAD", "/f/digits.txt", "If-Modified-Since: " + CHANGED).status()).isEqualTo(304);
        assertThat(ask("GET", "/f/digits.txt", "If-Match: \"x\"").status()).isEqualTo(412);
        String range = "Range: bytes=0-1";
        assertThat(ask("GET", "/f/digits.txt", range, "If-Range: " + tag).body()).isEqualTo("01");
        assertThat(ask("GET", "/f/digits.txt", range, "If-Range: \"x\"").body()).hasSize(10);
    }

    /** Times of files from Nix, by SOURCE_DATE_EPOCH and in zip files. */
    @ParameterizedTest
    @ValueSource(strings = {"1970-01-01T00:00:00Z", "1970-01-01T00:00:01Z", "1980-01-01T12:00:00Z"})
    void knowsNoChangesOfAFileWhoseTimeABuildHasSet(String changed) throws IOException {
        file("root/app.js", "v1.2.3", changed);
        RawClient.Answer answer = ask("GET", "/app.js");
        assertThat(answer.header("ETag")).isNull();
        assertThat(answer.header("Last-Modified")).isNull();
        Instant time = Instant.parse(changed);
        String tag = "\"6-" + Long.toHexString(time.getEpochSecond() * 1_000_000_000) + '"';
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(time.atOffset(ZoneOffset.UTC));

        file("root/app.js", "v1.2.4", changed);
        for (String condition : List.of("If-None-Match: " + tag, "If-None-Match: \"\"",
                "If-Modified-Since: " + CHANGED, "Range: bytes=0-1\r\nIf-Range: " + tag,
                "Range: bytes=0-1\r\nIf-Range: " + date)) {
            assertThat(ask("GET", "/app.js", condition).body()).as(condition).isEqualTo("v1.2.4");
        }
        assertThat(ask("GET", "/app.js", "Range: bytes=0-1").body()).isEqualTo("v1");
        assertThat(ask("GET", "/app.js", "If-Match: " + tag).status()).isEqualTo(412);
        assertThat(ask("GET", "/app.js", "If-None-Match: *").status()).isEqualTo(304);
    }

    @Test
    void writeMethodsGet405() throws IOException {
        RawClient.Answer answer = ask("PUT", "/f/digits.txt", "Content-Length: 0");

        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.header("Allow")).isEqualTo("GET, HEAD, OPTIONS");
    }

    @Test
    void changedAndDeletedFilesAreNoticed() throws IOException {
        file("root/later", "one");
        String before = ask("GET", "/later").header("ETag");
        Files.writeString(folder.resolve("root/later"), "two");

        RawClient.Answer answer = ask("GET", "/later", "If-None-Match: " + before);
        assertThat(answer.body()).isEqualTo("two");
        assertThat(answer.header("ETag")).startsWith("W/");
        Files.delete(folder.resolve("root/later"));
        assertThat(ask("GET", "/later").status()).isEqualTo(404);
    }
}
