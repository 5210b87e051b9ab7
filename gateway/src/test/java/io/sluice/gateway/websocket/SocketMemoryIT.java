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

    @Test
    void isClosedWhereItHoldsAPartOfAMessage() throws Exception {
        byte[] part = ClientFrame.deflated(new byte[1000]);
        try (var server = new SocketServer(new SocketSettings(), new Recorder());
                RawSocket idle = server.open(http); RawSocket plain = server.open(http);
                RawSocket compressed = server.open(http, RawSocket.DEFLATE)) {
            plain.send(ClientFrame.of(Opcode.TEXT, "begun"));
            compressed.send(ClientFrame.of(ClientFrame.COMPRESSED | Opcode.BINARY, part));
            server.http().settle();
            try (var _ = new ShortMemory()) {
                server.http().connections().memory(true);
                assertThat(plain.read().closeCode()).isEqualTo(1013);
                assertThat(compressed.read().closeCode()).isEqualTo(1013);
            }
            idle.send(ClientFrame.of(ClientFrame.PING, "a"));
            assertThat(idle.read().opcode()).isEqualTo(Opcode.PONG);
            assertThat(server.closed()).isEqualTo(2);
        }
    }
}
