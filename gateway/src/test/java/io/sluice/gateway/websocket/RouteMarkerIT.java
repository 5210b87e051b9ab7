package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.sluice.gateway.LoopBudget;
import io.sluice.gateway.websocket.SocketServer.Recorder;
import io.sluice.handlers.WebSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The route in the report of a long task: a socket whose messages take CPU time on the event loop. */
class RouteMarkerIT {

    @Test
    void namesTheRouteOfASocket() throws Exception {
        var handler = new Recorder() {
            @Override
            public void text(WebSocket socket, ByteBuf message) {
                LoopBudget.compute(Duration.ofMillis(20));
                super.text(socket, message);
            }
        };
        try (var server = new SocketServer(new SocketSettings(), handler); RawSocket socket = server.open()) {
            socket.send(ClientFrame.of(ClientFrame.TEXT, "a"));
            assertThat(handler.next()).isEqualTo("opened");
            assertThat(handler.next()).isEqualTo("text a");

            assertThatThrownBy(() -> server.http().loopBudget().requireBelow(Duration.ofMillis(10)))
                    .hasMessageContaining("route /");
        }
    }
}
