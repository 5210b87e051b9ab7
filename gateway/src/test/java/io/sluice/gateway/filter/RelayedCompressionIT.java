package io.sluice.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.proxy.ByteOrigin;
import io.sluice.gateway.proxy.ProxyBed;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compression of another server's responses. */
class RelayedCompressionIT {
    private static final String TEXT = "a text that says it all again ".repeat(100);

    @Test
    void compressesRelayedAnswersWithTheirFields() throws IOException {
        String date = "Thu, 01 Jan 2026 00:00:00 GMT";
        try (var proxy = ProxyBed.start("sluice.routes.all.compression = {}", ByteOrigin.answering(
                "HTTP/1.1 200 OK\r\nServer: origin\r\nDate: " + date + "\r\nContent-Type: text/plain\r\n"
                        + "Content-Length: " + TEXT.length() + "\r\n\r\n" + TEXT))) {
            RawClient.Answer answer = proxy.get("/", "Accept-Encoding: gzip");

            assertThat(answer.header("Content-Encoding")).isEqualTo("gzip");
            assertThat(answer.header("Server")).isEqualTo("origin");
            assertThat(answer.header("Date")).isEqualTo(date);
            assertThat(answer.header("X-Content-Type-Options")).isNull();
        }
    }

    /** A digest of the bytes before compression would contradict the response (RFC 9530 section 2). */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leavesNoDigestOfOtherBytesInTrailers(boolean announced) throws IOException {
        try (var proxy = ProxyBed.start("sluice.routes.all.compression = {}", ByteOrigin.answering(
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n"
                        + (announced ? "Trailer: X-Sum, Content-Digest\r\n" : "") + "\r\n"
                        + Integer.toHexString(TEXT.length()) + "\r\n" + TEXT
                        + "\r\n0\r\nX-Sum: 1\r\nContent-Digest: sha-256=:x:\r\n\r\n"))) {
            RawClient.Answer answer = proxy.get("/", "Accept-Encoding: gzip");

            assertThat(answer.header("Content-Encoding")).isEqualTo(announced ? null : "gzip");
            assertThat(answer.trailers()).isEqualTo(announced
                    ? List.of("X-Sum: 1", "Content-Digest: sha-256=:x:") : List.of("X-Sum: 1"));
        }
    }
}
