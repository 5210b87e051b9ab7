package io.sluice.gateway.pipeline;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that go on sending after the answer behind which their connection is closed. */
class LingeringCloseIT {
    private static final byte[] PIECE = new byte[64 * 1024];
    /** Bytes: what is read in two seconds, and what all buffers hold. */
    private static final long MOST = 128L << 20;

    private HandlerServer server;

    @BeforeEach
    void start() {
        server = HandlerServer.start(route("/", exchange -> answer(exchange, "hello")));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** The last is HTTP/2, with a frame of a length that is not allowed. */
    @ParameterizedTest
    @ValueSource(strings = {
        "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000"
                + "\u00ff\u00ff\u00ff\u0000\u0000\u0000\u0000\u0000\u0001"})
    void areReadAtABoundedRate(String last) throws IOException {
        try (var client = new RawClient(server.port())) {
            client.send(last);
            assertThat(flood(client)).isLessThan(MOST);
        }
    }

    @Test
    void getTheirAnswerThoughTheySendTwentyMegabytesMore() throws IOException {
        try (var client = new RawClient(server.port())) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20971520\r\n\r\n");
            client.send(new byte[20 << 20]);
            assertThat(client.read().status()).isEqualTo(413);
        }
    }

    /** Sends until the connection breaks; returns the bytes that were taken. */
    private static long flood(RawClient client) {
        long sent = 0;
        try {
            while (sent < 10 * MOST) {
                client.socket().getOutputStream().write(PIECE);
                sent += PIECE.length;
            }
        } catch (IOException e) {
            // It has been closed.
        }
        return sent;
    }
}
