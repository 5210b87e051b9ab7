package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.handlers.websocket.WebSocketEchoHandler;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Allowed and refused origins of handshakes (RFC 6455 section 10.2). The Host header is localhost. */
class OriginIT {

    @ParameterizedTest
    @CsvSource(nullValues = "none", textBlock = """
            self,                     none,                     101
            self,                     http://localhost,         101
            self,                     https://LOCALHOST,        101
            self,                     http://localhost:8080,    403
            self,                     http://localhost.evil.example, 403
            self,                     null,                     403
            self,                     '',                       403
            self,                     file://,                  403
            https://app.example.com,  none,                     101
            https://app.example.com,  https://app.example.com,  101
            https://app.example.com,  http://app.example.com,   403
            https://app.example.com,  http://localhost,         403
            https://app.example.com,  https://app.example.com.evil.example, 403
            https://app.example.com,  https://app.example.com:444, 403
            http://localhost:*,       http://localhost:3000,    101
            http://localhost:*,       http://localhost,         101
            http://localhost:*,       http://localhost:3000.evil.example, 403
            *,                        https://anywhere.example, 101
            *,                        null,                     101
            """)
    void allowedOriginsAreAccepted(String pattern, String origin, int status) throws Exception {
        try (var server = new SocketServer(new SocketSettings().origins(pattern), new WebSocketEchoHandler());
                RawSocket socket = RawSocket.connect(server.port())) {
            socket.send(RawSocket.handshake("/", origin == null ? "" : "Origin: " + origin + "\r\n"));

            assertThat(socket.readAnswer().status()).isEqualTo(status);
        }
    }

    @ParameterizedTest
    @CsvSource({"http://localhost, http://localhost", "http://localhost, http://evil.example"})
    void twoOriginHeadersGet400(String first, String second) throws Exception {
        try (var server = new SocketServer(new SocketSettings().origins("self", "http://b.example"),
                new WebSocketEchoHandler()); RawSocket socket = RawSocket.connect(server.port())) {
            socket.send(RawSocket.handshake("/", "Origin: " + first + "\r\nOrigin: " + second + "\r\n"));

            assertThat(socket.readAnswer().status()).isEqualTo(400);
            socket.upgrade("/", "Origin: http://B.example\r\n");
        }
    }
}
