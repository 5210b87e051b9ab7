package io.sluice.gateway.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.proxy.ByteOrigin;
import io.sluice.gateway.proxy.ProxyBed;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AccessLogIT {
    private static final String ROUTES = """
            sluice.log { access = %s, slow = 1s }
            sluice.routes {
              quick { path = "/quick/{id}", handler = text, text = hi }
              slow { path = "/slow", handler = delay, duration = 1100ms }
              late { path = "/late", handler = delay, duration = 1m, max = 1m, deadline = 50ms }
            }
            """;

    private final Logger logger = (Logger) LoggerFactory.getLogger(LogSetup.ACCESS);
    private final LoggedEvents lines = new LoggedEvents();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
    }

    @Test
    void everyRequestIsLoggedIfConfigured() throws Exception {
        try (var gateway = RunningGateway.start(ROUTES.formatted("all"))) {
            gateway.send(gateway.request("/quick/7?token=secret").header("X-Request-Id", "id-1")
                    .header("User-Agent", "test \"agent\""));

            await().untilAsserted(() -> assertThat(messages()).hasSize(1));
            JsonNode line = JsonMapper.shared().readTree(messages().getFirst());
            assertThat(line.get("requestId").asString()).isEqualTo("id-1");
            assertThat(line.get("method").asString()).isEqualTo("GET");
            assertThat(line.get("path").asString()).isEqualTo("/quick/7");
            assertThat(line.get("route").asString()).isEqualTo("/quick/{id}");
            assertThat(line.get("protocol").asString()).isEqualTo("HTTP/1.1");
            assertThat(line.get("status").asInt()).isEqualTo(200);
            assertThat(line.get("bytes").asInt()).isEqualTo(2);
            assertThat(line.get("client").asString()).isEqualTo("127.0.0.1");
            assertThat(line.get("userAgent").asString()).isEqualTo("test \"agent\"");
            assertThat(line.get("durationMs").isNumber()).isTrue();
            assertThat(messages().getFirst()).doesNotContain("secret");
        }
    }

    /** Otherwise a client could fill the memory with lines that wait for a slow output. */
    @Test
    void longClientValuesAreTruncated() throws Exception {
        try (var gateway = RunningGateway.start(ROUTES.formatted("all")); var client = gateway.connect()) {
            client.send("%s /quick/a%s HTTP/1.1\r\nHost: a\r\nUser-Agent: %s\r\n\r\n".formatted(
                    "M".repeat(1000), "%F0%9F%98%80".repeat(500), "u".repeat(20_000))).read();

            await().untilAsserted(() -> assertThat(messages()).hasSize(1));
            JsonNode line = JsonMapper.shared().readTree(messages().getFirst());
            assertThat(line.get("method").asString()).isEqualTo("M".repeat(29) + "...");
            assertThat(line.get("path").asString())
                    .isEqualTo("/quick/a" + "\ud83d\ude00".repeat(250) + "..."); // no half of a pair
            assertThat(line.get("userAgent").asString()).isEqualTo("u".repeat(253) + "...");
        }
    }

    @Test
    void proxiedRequestHasEndpointAndTimings() throws Exception {
        try (var origin = RunningGateway.start("sluice.routes.a { path = /a, handler = text, text = hi }");
                var gateway = RunningGateway.start("""
                        sluice {
                          log.access = all
                          upstreams.shop.endpoints = ["http://127.0.0.1:%d"]
                          routes.shop { path = "/**", handler = proxy, upstream = shop }
                        }
                        """.formatted(origin.port()))) {
            gateway.get("/a");

            await().until(() -> messages().stream().anyMatch(line -> line.contains("upstream")));
            JsonNode line = JsonMapper.shared().readTree(messages().stream()
                    .filter(message -> message.contains("upstream")).findFirst().orElseThrow());
            assertThat(line.get("upstream").asString()).isEqualTo("shop");
            assertThat(line.get("endpoint").asString()).isEqualTo("http://127.0.0.1:" + origin.port());
            assertThat(line.get("queueMs").isNumber()).isTrue();
            assertThat(line.get("connectMs").isNumber()).isTrue();
            assertThat(line.get("firstByteMs").isNumber()).isTrue();
            assertThat(line.has("retries")).isFalse();
        }
    }

    @Test
    void proxiedRequestHasItsNumberOfRetries() throws Exception {
        var requests = new AtomicInteger();
        try (var origin = ByteOrigin.playing(connection -> {
            while (connection.request() != null) {
                if (requests.getAndIncrement() == 0) {
                    connection.reset();
                }
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            }
        }); var proxy = ProxyBed.start("sluice.log.access = all", origin)) {
            assertThat(proxy.get("/").status()).isEqualTo(200);

            await().untilAsserted(() -> assertThat(messages()).hasSize(1));
            JsonNode line = JsonMapper.shared().readTree(messages().getFirst());
            assertThat(line.get("status").asInt()).isEqualTo(200);
            assertThat(line.get("retries").asInt()).isEqualTo(1);
        }
    }

    @Test
    void slowAndFailedRequestsOnlyAreLogged() throws Exception {
        try (var gateway = RunningGateway.start(ROUTES.formatted("slow-and-failed"))) {
            gateway.get("/quick/7");
            gateway.get("/nowhere");
            gateway.get("/slow");
            gateway.get("/late");

            await().untilAsserted(() -> assertThat(messages()).hasSize(2));
            assertThat(messages().get(0)).contains("\"route\":\"/slow\"");
            assertThat(messages().get(1)).contains("\"route\":\"/late\"", "\"status\":504");
        }
    }

    @Test
    void nothingIsLoggedIfOff() throws Exception {
        try (var gateway = RunningGateway.start(ROUTES.formatted("off"))) {
            gateway.get("/late");
        }
        assertThat(messages()).isEmpty();
    }

    private List<String> messages() {
        return List.copyOf(lines.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
