package io.sluice.gateway.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.proxy.ByteOrigin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compressed bodies of requests, over HTTP/1.1 and HTTP/2. */
class CompressedBodiesIT {
    private static ByteOrigin origin;
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws IOException {
        origin = ByteOrigin.playing(connection -> {
            while (connection.request() != null) {
                connection.send("HTTP/1.1 204 No Content\r\n\r\n");
            }
        });
        gateway = RunningGateway.start("""
                sluice.upstreams.shop.endpoints = ["http://127.0.0.1:%d"]
                sluice.route-defaults.max-body = 1MiB
                sluice.routes {
                  echo { path = "/echo", handler = echo }
                  large { path = "/large", handler = echo, max-body = 64MiB }
                  proxied { path = "/proxied", handler = proxy, upstream = shop }
                }
                """.formatted(origin.port()));
    }

    @AfterAll
    static void stop() throws IOException {
        gateway.close();
        origin.close();
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        var coded = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(coded)) {
            out.write(bytes);
        }
        return coded.toByteArray();
    }

    private static RawClient.Answer post(String path, String coding, byte[] body) throws IOException {
        try (RawClient client = gateway.connect()) {
            return client.send(("POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Encoding: " + coding
                    + "\r\nContent-Length: " + body.length + "\r\n\r\n" + new String(body, ISO_8859_1))
                    .getBytes(ISO_8859_1)).read();
        }
    }

    private static FrameClient.Answer post2(String path, String coding, byte[] body) throws IOException {
        try (FrameClient client = FrameClient.greet(gateway.connect())) {
            client.send(FrameClient.post(1, path, "content-encoding", coding,
                    "content-length", String.valueOf(body.length)),
                    FrameClient.data(1, true, new String(body, ISO_8859_1)));
            return client.answer(1);
        }
    }

    @Test
    void areDecodedForHandlers() throws Exception {
        byte[] body = gzip("grüße".repeat(1000).getBytes(UTF_8));

        assertThat(new String(post("/echo", "gzip", body).content(), UTF_8))
                .isEqualTo("grüße".repeat(1000));
        assertThat(post2("/echo", "X-GZip", body).body()).isEqualTo("grüße".repeat(1000));
    }

    @Test
    void arePassedOnToUpstreamsAsTheyAre() throws Exception {
        byte[] body = gzip(new byte[100]);

        assertThat(post("/proxied", "gzip", body).status()).isEqualTo(204);
        assertThat(post("/proxied", "x-own", body).status()).isEqualTo(204);
        assertThat(origin.requests().getLast()).containsIgnoringCase("content-encoding: x-own\r\n")
                .endsWith(new String(body, ISO_8859_1));
    }

    @Test
    void ofUnknownCodingsGet415WithTheKnownOnes() throws Exception {
        for (String coding : new String[] {"br", "gzip, compress", "gzip, gzip, gzip"}) {
            RawClient.Answer answer = post("/echo", coding, gzip(new byte[10]));

            assertThat(answer.status()).isEqualTo(415);
            assertThat(answer.header("accept-encoding")).isEqualTo("gzip, deflate, zstd");
            assertThat(answer.body()).contains("content-encoding: " + coding
                    + " (expected: at most 2 of gzip, deflate, zstd)");
        }
        assertThat(post2("/echo", "br", new byte[3]).headers())
                .containsEntry(":status", "415").containsEntry("accept-encoding", "gzip, deflate, zstd");
    }

    @Test
    void thatAreMalformedGet400() throws Exception {
        assertThat(post("/echo", "gzip", "no gzip".getBytes(UTF_8)).body())
                .contains("body (expected: gzip, whole and valid)");
        assertThat(post2("/echo", "deflate", new byte[20]).status()).isEqualTo(400);
    }

    @Test
    void bombsGet413AndDoNotStopTheLoop() throws Exception {
        byte[] bomb = gzip(new byte[16_000_000]);
        byte[] twice = gzip(bomb);
        assertThat(twice).hasSizeLessThan(1000);

        gateway.loopBudget().requireBelow(Duration.ofMillis(5), () -> {
            assertThat(post("/echo", "gzip", bomb).status()).isEqualTo(413);
            assertThat(post("/echo", "gzip, gzip", twice).status()).isEqualTo(413);
            assertThat(post2("/echo", "gzip, gzip", twice).status()).isEqualTo(413);
        });
        gateway.loopBudget().requireBelow(Duration.ofMillis(5), () ->
                assertThat(post("/large", "gzip", bomb).content()).hasSize(16_000_000));
    }
}
