package io.sluice.gateway.warmup;

import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class WarmUpHttp2ClientTest {
    /** A GOAWAY frame (RFC 9113 section 6.8): no stream was processed, ENHANCE_YOUR_CALM. */
    private static final byte[] GOAWAY = HexFormat.of().parseHex("000008070000000000000000000000000b");

    @Test
    void refusedConnectionsAreNotRetriedForever() throws IOException {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var client = new WarmUpHttp2Client(server.getLocalPort())) {
            Thread.ofVirtual().start(() -> turnAway(server));

            assertThatIOException().isThrownBy(() -> client.request(WarmUpRequest.get("/")))
                    .withMessage("a connection was refused before its first request");
        }
    }

    private static void turnAway(ServerSocket server) {
        try {
            while (true) {
                var connection = server.accept();
                connection.getOutputStream().write(GOAWAY);
            }
        } catch (IOException e) {
            // the test has ended
        }
    }
}
