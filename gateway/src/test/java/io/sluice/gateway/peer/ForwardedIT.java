package io.sluice.gateway.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.SocketClient;
import io.sluice.gateway.logging.LogSetup;
import io.sluice.gateway.logging.LoggedEvents;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The client's address and protocol of a request, from trusted and untrusted proxies. */
class ForwardedIT {
    private static final String ROUTES = """
            sluice.log.access = all
            sluice.routes {
              echo { path = "/echo", handler = echo }
              rpc { path = "/rpc", handler = ws-rpc }
            }
            """;
    private static final String CLIENT = "203.0.113.7";

    private static final LoggedEvents ACCESS = new LoggedEvents();
    private static RunningGateway plain;
    private static RunningGateway behindProxy;

    @BeforeAll
    static void start() {
        ACCESS.start();
        ((Logger) LoggerFactory.getLogger(LogSetup.ACCESS)).addAppender(ACCESS);
        plain = RunningGateway.start(ROUTES);
        behindProxy = RunningGateway.start(ROUTES
                + "sluice.server.trusted-proxies = [\"127.0.0.0/8\", 10.0.0.0/8]");
    }

    @AfterAll
    static void stop() {
        ((Logger) LoggerFactory.getLogger(LogSetup.ACCESS)).detachAppender(ACCESS);
        plain.close();
        behindProxy.close();
    }

    private static JsonNode echo(RunningGateway gateway, String id, String... headers) throws Exception {
        HttpRequest.Builder request = gateway.request("/echo").header("X-Request-Id", id);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return JsonMapper.shared().readTree(gateway.send(request).body());
    }

    private static String logged(String id) {
        return await().until(() -> List.copyOf(ACCESS.list).stream().map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains('"' + id + '"')).findFirst().orElse(null), Objects::nonNull);
    }

    @Test
    void clientAddressIsTakenFromATrustedProxy() throws Exception {
        JsonNode echo = echo(behindProxy, "trusted", "X-Forwarded-For", "198.51.100.9,203.0.113.7, 10.1.1.1");

        assertThat(echo.get("client").asString()).isEqualTo(CLIENT);
        assertThat(echo.toString()).contains("X-Forwarded-For");
        assertThat(logged("trusted")).contains("\"client\":\"203.0.113.7\"");
    }

    @Test
    void forwardingHeadersOfUntrustedPeersAreDropped() throws Exception {
        JsonNode echo = echo(plain, "plain", "X-Forwarded-For", CLIENT, "Forwarded", "for=" + CLIENT,
                "X-Real-Ip", CLIENT, "X-Forwarded-Proto", "https", "X-Other", "stays");

        assertThat(echo.get("client").asString()).isEqualTo("127.0.0.1");
        assertThat(echo.toString()).containsIgnoringCase("x-other")
                .doesNotContainIgnoringCase("forwarded").doesNotContainIgnoringCase("real-ip");
        assertThat(logged("plain")).contains("\"client\":\"127.0.0.1\"");
    }

    /** See RFC 9110 section 7.4. */
    @Test
    void httpsTargetOverPlaintextRequiresATrustedProxy() throws Exception {
        try (var proxy = new RawClient(behindProxy.port()); var stranger = new RawClient(plain.port())) {
            String request = "GET https://a/echo HTTP/1.1\r\nHost: a\r\n\r\n";

            assertThat(proxy.send(request).read().status()).isEqualTo(200);
            assertThat(stranger.send(request).read().status()).isEqualTo(421);
        }
    }

    @Test
    void malformedForwardedHeaderIsIgnored() throws Exception {
        for (String nonsense : List.of("for=\"", "for=[::1", ";;;", ",,,", "for=999.1.1.1", "\u00e9", "=")) {
            assertThat(echo(behindProxy, "nonsense", "Forwarded", nonsense).get("client").asString())
                    .as(nonsense).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void aSocketAndItsRequestsAreTheClientsOfItsHandshake() throws Exception {
        try (var socket = SocketClient.connect(behindProxy, "/rpc",
                "Forwarded", "for=\"203.0.113.7:5678\"")) {
            JsonNode answer = JsonMapper.shared().readTree(socket.send("{\"path\": \"/echo\"}").next());

            assertThat(answer.get("body").get("client").asString()).isEqualTo(CLIENT);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "https://app.example, https, app.example, 101",
        "http://app.example, https, app.example, 403",
        "https://app.example, http, app.example, 403",
        "https://evil.example, https, app.example, 403"})
    void originIsComparedWithTheForwardedHost(String origin, String scheme, String host, int status) {
        assertThat(SocketClient.refusal(behindProxy, "/rpc", "Origin", origin, "X-Forwarded-Proto", scheme,
                "X-Forwarded-Host", host)).isEqualTo(status);
        assertThat(SocketClient.refusal(plain, "/rpc", "Origin", origin, "X-Forwarded-Proto", scheme,
                "X-Forwarded-Host", host)).isEqualTo(403);
    }
}
