package io.sluice.gateway.filter;

import static io.sluice.gateway.HandlerServer.route;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.CompressionConfig;
import io.sluice.config.CompressionConfig.Encoding;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.MediaTypePattern;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompressionIT {
    private static final String TEXT = "a text that says it all again ".repeat(100);
    private static HandlerServer server;

    @BeforeAll
    static void start() {
        var compression = Compression.of(new CompressionConfig(
                new LinkedHashSet<>(List.of(Encoding.ZSTD, Encoding.BR, Encoding.GZIP)), new ByteSize(1024),
                Set.of(new MediaTypePattern("text/*"), new MediaTypePattern("application/*json"))));
        server = HandlerServer.start(
                route("/whole", compression.around(CompressionIT::whole)),
                route("/worker", compression.around(exchange ->
                        Thread.ofVirtual().start(() -> whole(exchange)))),
                route("/stream", compression.around(CompressionIT::stream)),
                route("/worker-stream", compression.around(exchange ->
                        Thread.ofVirtual().start(() -> stream(exchange)))),
                route("/fails", compression.around(exchange -> {
                    exchange.stream(head(exchange)).write(Unpooled.copiedBuffer(TEXT, UTF_8));
                    exchange.fail(new IOException("upstream is gone"));
                })),
                route("/plain", CompressionIT::whole));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Returns a head with the status and the headers that the query names. */
    private static HttpResponse head(Exchange exchange) {
        String status = exchange.queryParameter("status");
        var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(status == null ? 200 : Integer.parseInt(status)));
        head.headers().set("ETag", "\"x\"").set("Accept-Ranges", "bytes").set("Content-Type", "text/plain");
        for (String name : List.of("Content-Type", "Content-Encoding", "Cache-Control", "Vary", "ETag",
                "Content-Length", "Content-Digest", "Repr-Digest", "Content-MD5")) {
            if (exchange.queryParameter(name) != null) {
                head.headers().set(name, exchange.queryParameter(name));
            }
        }
        return head;
    }

    private static String body(Exchange exchange) {
        String times = exchange.queryParameter("times");
        return TEXT.repeat(times == null ? 1 : Integer.parseInt(times))
                .substring(exchange.queryParameter("short") != null ? TEXT.length() - 1000 : 0);
    }

    private static void whole(Exchange exchange) {
        HttpResponse head = head(exchange);
        String body = head.status().code() == 304 || head.status().code() == 204 ? "" : body(exchange);
        var answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, head.status(),
                Unpooled.copiedBuffer(body, UTF_8));
        answer.headers().set(head.headers());
        exchange.respond(answer);
    }

    private static void stream(Exchange exchange) {
        ResponseStream stream = exchange.stream(head(exchange));
        String body = body(exchange);
        for (int at = 0; at < body.length(); at += 700) {
            stream.write(Unpooled.copiedBuffer(body.substring(at, Math.min(at + 700, body.length())), UTF_8));
        }
        stream.end();
    }

    private static String request(String method, String target, String accepted) {
        return method + ' ' + target + " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: " + accepted + "\r\n\r\n";
    }

    private static RawClient.Answer get(String target, String accepted) throws IOException {
        try (RawClient client = server.connect()) {
            RawClient.Answer answer = client.send(request("GET", target, accepted)).read();
            assertThat(client.send(request("GET", "/plain", "gzip")).read().body()).isEqualTo(TEXT);
            return answer;
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /whole         | gzip | gzip
            /whole         | br   | br
            /whole         | zstd | zstd
            /whole?times=20 | *   | zstd
            /worker        | gzip | gzip
            /worker?times=30 | br | br
            /stream        | gzip | gzip
            /stream        | br   | br
            /stream        | zstd | zstd
            /stream?times=30 | gzip | gzip
            /stream?times=30&Content-Length=90000 | gzip | gzip
            /stream?short=1 | gzip | gzip
            /worker-stream | gzip | gzip
            /worker-stream?times=300 | zstd | zstd
            /whole?status=404 | gzip | gzip
            /whole?status=500&Content-Type=application/problem%2Bjson | gzip | gzip
            /whole?Content-Type=TEXT/HTML;charset=utf-8 | gzip | gzip
            """)
    void compressibleResponsesAreCompressedAsAccepted(String target, String accepted, String coding)
            throws IOException {
        RawClient.Answer answer = get(target, accepted);
        String times = target.replaceFirst(".*times=", "").replaceFirst("\\D.*", "");

        assertThat(answer.header("Content-Encoding")).isEqualTo(coding);
        assertThat(answer.header("Vary")).isEqualTo("accept-encoding");
        assertThat(answer.header("ETag")).isEqualTo("W/\"x\"");
        assertThat(answer.header("Accept-Ranges")).isNull();
        String whole = TEXT.repeat(times.isEmpty() ? 1 : Integer.parseInt(times));
        assertThat(new String(Decoding.decode(coding, answer.content()), UTF_8))
                .isEqualTo(target.contains("short") ? whole.substring(TEXT.length() - 1000) : whole);
        assertThat(answer.content().length).isLessThan(whole.length() / 3);
        if (!target.contains("stream")) {
            assertThat(answer.header("Content-Length")).isNotNull();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /whole                           | gzip;q=0        | accept-encoding
            /whole                           | deflate         | accept-encoding
            /whole                           | identity        | accept-encoding
            /whole?Vary=origin               | br;q=0          | origin, accept-encoding
            /whole?times=30                  | gzip            | accept-encoding
            /whole?short=1                   | gzip            |
            /whole?Content-Type=image/png    | gzip            |
            /whole?Content-Type=text         | gzip            |
            /whole?Content-Encoding=aes      | gzip            |
            /whole?Cache-Control=no-store,No-Transform | gzip  |
            /whole?Content-MD5=x             | gzip            |
            /whole?Content-Digest=sha-256=:x: | gzip           |
            /stream?Repr-Digest=sha-256=:x:  | gzip            |
            /whole?status=206                | gzip            | accept-encoding
            /stream?status=206               | gzip            | accept-encoding
            /stream?short=1&Content-Length=1000 | gzip         |
            /stream?Content-Type=image/png   | gzip            |
            /plain                           | gzip            |
            """)
    void otherResponsesAreSentUnchanged(String target, String accepted, String vary) throws IOException {
        RawClient.Answer answer = get(target, accepted);
        assertThat(answer.header("Content-Encoding")).isIn(null, "aes");
        assertThat(answer.header("Vary")).isEqualTo(vary);
        assertThat(answer.header("ETag")).isEqualTo("\"x\"");
        assertThat(answer.header("Accept-Ranges")).isEqualTo("bytes");
        assertThat(answer.body()).endsWith("says it all again ");
    }

    @Test
    void bodilessResponsesAreUnchanged() throws IOException {
        RawClient.Answer answer = get("/whole?status=204", "gzip");

        assertThat(answer.header("Content-Encoding")).isNull();
        assertThat(answer.header("ETag")).isEqualTo("\"x\"");
        assertThat(answer.header("Vary")).isNull();
    }

    /** The tag is that of the response which the client has: the compressed one, or the other. */
    @Test
    void aNotModifiedAnswerHasTheTagThatItsClientKnows() throws IOException {
        RawClient.Answer answer = get("/whole?status=304&Content-Length=2000",
                "gzip\r\nIf-None-Match: \"y\", W/\"x\"");

        assertThat(answer.header("ETag")).isEqualTo("W/\"x\"");
        assertThat(answer.header("Vary")).isEqualTo("accept-encoding");
        assertThat(answer.header("Content-Encoding")).isNull();
        assertThat(answer.header("Content-Length")).as("that of the other representation").isNull();
        assertThat(answer.header("Accept-Ranges")).isNull();
        for (String other : List.of("gzip\r\nIf-None-Match: \"x\", W/\"y\"",
                "deflate\r\nIf-None-Match: W/\"x\"")) {
            assertThat(get("/whole?status=304", other).header("ETag")).isEqualTo("\"x\"");
        }
        for (String unnamed : List.of("gzip\r\nIf-Modified-Since: Fri, 27 Nov 2026 00:00:00 GMT",
                "gzip\r\nIf-None-Match: *")) {
            assertThat(get("/whole?status=304", unnamed).header("ETag")).isEqualTo("W/\"x\"");
        }
    }

    @Test
    void http10ResponsesAreNotCompressed() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("GET /stream HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n");
            RawClient.Answer answer = client.read();

            assertThat(answer.header("Content-Encoding")).isNull();
            assertThat(answer.body()).isEqualTo(TEXT);
        }
    }

    @Test
    void failedStreamIsCutOff() throws IOException {
        try (RawClient client = server.connect()) {
            assertThatThrownBy(() -> {
                client.send(request("GET", "/fails", "gzip")).read();
                client.isClosed();
            }).isInstanceOf(IOException.class);
        }
    }
}
