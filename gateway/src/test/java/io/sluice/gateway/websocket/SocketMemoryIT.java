package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.limits.ShortMemory;
import io.sluice.gateway.tunnel.Http;
import io.sluice.gateway.websocket.SocketServer.Recorder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A WebSocket during a shortage of direct memory. */
@Isolated
@ParameterizedClass
@EnumSource
class SocketMemoryIT {
    private static final long PING = 100;

    @Parameter
    private Http http;

    @Test
    void isKeptWhereItsClientAnswersPings() throws Exception {
        try (var server = SocketServer.withClock(new SocketSettings().keepAlive(PING, 450), new Recorder());
                RawSocket socket = server.open(http); var _ = new ShortMemory()) {
            for (int i = 0; i < 10; i++) {
                server.pass(PING);
                assertThat(socket.read().opcode()).isEqualTo(Opcode.PING);
                socket.send(ClientFrame.of(ClientFrame.PONG));
            }
            assertThat(server.closed()).isZero();
        }
    }
}
