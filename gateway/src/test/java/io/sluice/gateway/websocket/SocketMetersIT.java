package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.logging.LogSetup;
import io.sluice.gateway.logging.LoggedEvents;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Monitoring of WebSockets: meters by route, and a line in the access log for each handshake. */
class SocketMetersIT {
    private static final String CONFIG = """
            sluice.log.access = all
            sluice.routes.ws { path = "/ws/{id}", handler = ws-echo }
            """;

    @Test
    void countSocketsMessagesAndBytes() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(LogSetup.ACCESS);
        var lines = new LoggedEvents();
        lines.start();
        try (var gateway = RunningGateway.start(CONFIG)) {
            logger.addAppender(lines);
            assertMeters(gateway, 0, 0, 0, 0);
            try (RawSocket refused = RawSocket.connect(gateway.port());
                    RawSocket one = RawSocket.open(gateway.port(), "/ws/1?secret=x");
                    RawSocket two = RawSocket.open(gateway.port(), "/ws/2", RawSocket.DEFLATE)) {
                refused.send("GET /ws/3 HTTP/1.1\r\nHost: a\r\n\r\n").readAnswer();
                one.send(ClientFrame.of(Opcode.TEXT, "ab"), ClientFrame.of(ClientFrame.PING),
                        ClientFrame.of(ClientFrame.LAST, "c"));
                one.read();
                one.read();
                two.send(ClientFrame.of(ClientFrame.BINARY | ClientFrame.COMPRESSED,
                        ClientFrame.deflated("d".repeat(5000).getBytes(StandardCharsets.UTF_8)))).read();
                assertMeters(gateway, 2, 2, 2, 5003);
                one.send(ClientFrame.close(1000, "")).readAll();
                two.reset();
            }
            assertMeters(gateway, 0, 2, 2, 5003);
            String metrics = gateway.getAdmin("/metrics").body();
            assertThat(metrics).contains(
                    "http_server_requests_seconds_count{method=\"GET\","
                            + "outcome=\"INFORMATIONAL\",status=\"101\","
                            + "uri=\"/ws/{id}\"} 2", "status=\"426\"");
            assertThat(metrics).contains(
                    "sluice_websocket_dropped_total{reason=\"oldest\",uri=\"/ws/{id}\"} 0");
            await().until(() -> lines.list.size() == 3);
        } finally {
            logger.detachAppender(lines);
        }
        List<String> text = lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        assertThat(text).filteredOn(line -> line.contains("\"status\":101,\"bytes\":0")).hasSize(2)
                .allMatch(line -> line.contains("\"route\":\"/ws/{id}\"") && !line.contains("secret"));
        assertThat(text).filteredOn(line -> line.contains("\"status\":426")).hasSize(1);
    }

    private static void assertMeters(RunningGateway gateway, int open, int handshakes, int messages,
                                     int bytes) {
        String uri = "uri=\"/ws/{id}\"} ";
        await().untilAsserted(() -> assertThat(gateway.getAdmin("/metrics").body()).contains(
                "sluice_websocket_sockets{" + uri + open,
                "sluice_websocket_handshake_seconds_count{" + uri + handshakes,
                "sluice_websocket_messages_total{direction=\"in\"," + uri + messages,
                "sluice_websocket_messages_total{direction=\"out\"," + uri + messages,
                "sluice_websocket_bytes_total{direction=\"in\"," + uri + bytes,
                "sluice_websocket_bytes_total{direction=\"out\"," + uri + bytes));
    }
}
