package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.proxy.ByteOrigin;
import io.sluice.gateway.tunnel.Http;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Proxied WebSockets, whose connections to the endpoint count for their clients. */
class ProxiedSocketsLimitIT {
    private final List<RawSocket> sockets = new ArrayList<>();

    private int open(Http http, RunningGateway gateway) throws IOException {
        RawSocket socket = RawSocket.over(http.connect(gateway.port(), 0));
        sockets.add(socket);
        int status = socket.send(RawSocket.handshake("/", "")).readAnswer().status();
        if (status >= 300) {
            sockets.removeLast().close();
        }
        return status;
    }

    @ParameterizedTest
    @EnumSource
    void areLimitedPerClient(Http http) throws IOException {
        try (var origin = ByteOrigin.playing(connection -> connection.send(connection.accepted()).drain());
                var gateway = RunningGateway.start("""
                        sluice.server.max-connections-per-address = 5
                        sluice.upstreams.chat.endpoints = ["http://127.0.0.1:%d"]
                        sluice.routes.chat { path = "/", handler = proxy, upstream = chat }
                        """.formatted(origin.port()))) {
            assertThat(open(http, gateway)).isIn(101, 200);
            assertThat(open(http, gateway)).isIn(101, 200);

            assertThat(open(http, gateway)).isEqualTo(503);
            assertThat(gateway.upstream("chat").permits().stats().busy()).isZero();

            sockets.removeFirst().close();
            await().until(() -> open(http, gateway) < 300);
        } finally {
            for (RawSocket socket : sockets) {
                socket.close();
            }
        }
    }
}
