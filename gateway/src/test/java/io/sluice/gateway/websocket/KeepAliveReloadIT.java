package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.tunnel.Http;
import io.sluice.gateway.websocket.SocketServer.Recorder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Keep-alive of sockets after a reload of its settings. */
@ParameterizedClass
@EnumSource
class KeepAliveReloadIT {
    @Parameter
    private Http http;

    @Test
    void followsAReloadOfTheIntervals() throws Exception {
        try (var server = SocketServer.withClock(new SocketSettings().keepAlive(3_600_000, 7_200_000),
                new Recorder()); RawSocket socket = server.open(http)) {
            server.update(new SocketSettings().keepAlive(5_000, 40_000));
            server.pass(30_000);
            assertThat(socket.read().opcode()).isEqualTo(Opcode.PING);
            server.pass(10_000);
            server.pass(10_000);
            assertThat(server.closed()).isEqualTo(1);
        }
    }

    /** The timeouts of the server are those at the opening of the socket, though its route is kept. */
    @Test
    void followsAReloadOfThePace() throws Exception {
        String config = """
                sluice {
                  server.timeouts { stall = %s, min-rate = 1MiB }
                  routes.ws { path = /ws, handler = ws-echo }
                }
                """;
        try (var gateway = RunningGateway.start(config.formatted("1h"))) {
            gateway.reload(config.formatted("1s"));
            try (RawSocket socket = RawSocket.open(http, gateway.port(), "/ws")) {
                socket.send(ClientFrame.of(Opcode.BINARY, "begun"));
                assertThat(socket.read().closeCode()).isEqualTo(1008);
            }
        }
    }
}
