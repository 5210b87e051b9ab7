package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RawClient.Answer;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.proxy.ByteOrigin;
import io.sluice.gateway.tunnel.Http;
import io.sluice.handlers.websocket.HandshakeKey;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tokens in proxied handshakes. The endpoint chooses the subprotocol v2 if it is offered. */
class ProxiedTokensIT {
    private static final String OF_SECRET =
            "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";

    private static ByteOrigin origin;
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws IOException {
        origin = ByteOrigin.playing(connection -> {
            String head = connection.request();
            String key = Arrays.stream(head.split("\r\n"))
                    .filter(line -> line.toLowerCase().startsWith("sec-websocket-key: "))
                    .map(line -> line.substring(19)).findFirst().orElseThrow();
            String agreed = offered(head).contains("v2") ? "Sec-WebSocket-Protocol: v2\r\n" : "";
            connection.send("HTTP/1.1 101 A\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + agreed
                    + "Sec-WebSocket-Accept: " + HandshakeKey.accept(key) + "\r\n\r\n").drain();
        });
        gateway = RunningGateway.start("""
                sluice.upstreams.shop.endpoints = ["http://127.0.0.1:%d"]
                sluice.tokens.alice.sha256 = "%s"
                sluice.routes {
                  closed { path = "/closed", handler = proxy, upstream = shop, tokens = [alice] }
                  open { path = "/open", handler = proxy, upstream = shop }
                }
                """.formatted(origin.port(), OF_SECRET));
    }

    @AfterAll
    static void stop() throws IOException {
        gateway.close();
        origin.close();
    }

    private static String offered(String head) {
        return Arrays.stream(head.split("\r\n"))
                .filter(line -> line.toLowerCase().startsWith("sec-websocket-protocol: "))
                .map(line -> line.substring(24)).collect(Collectors.joining(" + "));
    }

    private static Answer shakeHands(Http http, String target, String protocols) throws IOException {
        String field = protocols.isEmpty() ? "" : "Sec-WebSocket-Protocol: " + protocols + "\r\n";
        try (RawSocket socket = RawSocket.over(http.connect(gateway.port(), 0))) {
            return socket.send(RawSocket.handshake(target, field)).readAnswer();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                             | bearer, secret       | ''              | ''     | bearer
            ''                             | v1, bearer,secret,v2 | ''              | v1, v2 | v2
            ''                             | v1, bearer, secret   | ''              | v1     | bearer
            ?access_token=secret           | ''                   | ''              | ''     |
            ?a&access_token=secret&b=%20&& | v1                   | ?a&b=%20&&      | v1     |
            ?=access%5ftoken=secret&a      | v2                   | ?a              | v2     | v2
            """)
    void areForTheGatewayAlone(String query, String protocols, String queryPassedOn, String offered,
                               String agreed) throws IOException {
        for (Http http : Http.values()) {
            Answer answer = shakeHands(http, "/closed" + query, protocols);

            assertThat(answer.status()).isIn(101, 200);
            assertThat(answer.header("Sec-WebSocket-Protocol")).isEqualTo(agreed);
            String head = origin.requests().getLast();
            assertThat(head).startsWith("GET /closed" + queryPassedOn + " HTTP/1.1\r\n")
                    .doesNotContain("secret", "bearer");
            assertThat(offered(head)).isEqualTo(offered);
        }
    }

    /** On a route without access control, the tokens may be the application's own. */
    @ParameterizedTest
    @EnumSource
    void arePassedOnWhereTheRouteNeedsNone(Http http) throws IOException {
        Answer answer = shakeHands(http, "/open?access_token=secret", "bearer, secret, v2");

        assertThat(answer.header("Sec-WebSocket-Protocol")).isEqualTo("v2");
        String head = origin.requests().getLast();
        assertThat(head).startsWith("GET /open?access_token=secret HTTP/1.1\r\n");
        assertThat(offered(head)).isEqualTo("bearer, secret, v2");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /closed                     | bearer, wrong  | 401
            /closed                     | v2             | 401
            /closed?access_token=wrong  | v2             | 401
            /closed?access_token=secret | bearer, secret | 400
            """)
    void areRequired(String target, String protocols, int status) throws IOException {
        int before = origin.requests().size();
        for (Http http : Http.values()) {
            assertThat(shakeHands(http, target, protocols).status()).isEqualTo(status);
        }
        assertThat(origin.requests()).hasSize(before);
    }
}
