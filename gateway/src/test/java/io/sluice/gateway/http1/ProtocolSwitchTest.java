package io.sluice.gateway.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.tunnel.EchoTunnel;
import io.sluice.handlers.TunnelConnection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProtocolSwitchTest {
    private static final String REQUEST =
            "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: test\r\n\r\n";
    private static final String MISSING = "GET /missing HTTP/1.1\r\nHost: x\r\n\r\n";

    /**
     * A client that has the answer relies on the new protocol, for example on its subscription to a topic.
     */
    @ParameterizedTest
    @ValueSource(strings = {"", MISSING})
    void theOtherProtocolIsThereBeforeTheAnswerIsSent(String before) {
        var self = new AtomicReference<EmbeddedGateway>();
        var sentBefore = new AtomicReference<String>();
        var tunnel = new EchoTunnel() {
            @Override
            public void opened(TunnelConnection opened) {
                sentBefore.set(self.get().sent());
            }
        };
        try (var gateway = new EmbeddedGateway(EmbeddedGateway.config(Map.of()),
                HandlerServer.route("/", tunnel::accept))) {
            self.set(gateway);

            gateway.receive(before + REQUEST);

            assertThat(sentBefore.get()).isNotNull().doesNotContain("HTTP/1.1 101");
            assertThat(gateway.sent()).contains("HTTP/1.1 101 Switching Protocols\r\n");
        }
    }
}
