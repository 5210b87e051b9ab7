package io.sluice.gateway.net;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.HandlerServer;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A slow client of a large response. The kernel sizes its send buffer, of which a slow client does not
 * empty a third within {@code stall}.
 */
class SlowDownloadIT {
    private static final int SIZE = 16 * 1024 * 1024;
    private static final int PIECE = 8 * 1024;

    @Test
    void downloadAboveTheMinimumRateIsNotCutOff() throws Exception {
        String large = "x".repeat(SIZE);
        try (HandlerServer server = HandlerServer.withClock(
                Map.of("sluice.server.timeouts.stall", "2s", "sluice.server.timeouts.min-rate", "1000",
                        "sluice.server.send-buffer", "0"),
                route("/large", exchange -> answer(exchange, large)));
                var socket = new Socket()) {
            socket.setReceiveBufferSize(64 * 1024);
            socket.connect(new InetSocketAddress("localhost", server.port()));
            socket.getOutputStream().write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            for (int i = 0; i < 100; i++) {
                assertThat(in.readNBytes(PIECE)).hasSize(PIECE);
                server.pass(Duration.ofMillis(50)); // the pace of a client of 160 kB a second
            }
        }
    }
}
