package io.sluice.loadtest.experiments.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HttpAnswerIT {

    @Test
    void readsABodyByItsLengthOrInChunks() throws Exception {
        var whole = read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHello");
        assertThat(whole.status()).isEqualTo(200);
        assertThat(whole.keepAlive()).isTrue();
        assertThat(text(whole)).isEqualTo("Hello");
        var chunked = read("HTTP/1.1 503 Service Unavailable\r\nTransfer-Encoding: chunked\r\n"
                + "Connection: close\r\n\r\n3\r\nHel\r\n2\r\nlo\r\n0\r\n\r\n");
        assertThat(chunked.status()).isEqualTo(503);
        assertThat(chunked.keepAlive()).isFalse();
        assertThat(text(chunked)).isEqualTo("Hello");
    }

    @Test
    void isWholeOrNone() {
        assertThatThrownBy(() -> read("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello"))
                .isInstanceOf(EOFException.class).hasMessage("5 of 6 bytes");
        assertThatThrownBy(() -> read("HTTP/1.1 200 OK\r\nContent-")).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> read("")).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> read("SSH-2.0\r\n")).hasMessage("SSH-2.0 (expected: a status line)");
    }

    private static String text(HttpAnswer answer) {
        return new String(answer.body(), StandardCharsets.US_ASCII);
    }

    private static HttpAnswer read(String text) throws IOException {
        var traffic = new Traffic();
        try (var server = new Replies(text);
                var wire = Wire.open("127.0.0.1", server.port(), 0, traffic)) {
            wire.send("GET");
            var answer = HttpAnswer.read(wire);
            assertThat(traffic.sent()).isEqualTo(3);
            assertThat(traffic.received()).isPositive();
            return answer;
        }
    }
}
