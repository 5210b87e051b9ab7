package io.sluice.gateway.warmup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.logging.LoggedEvents;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class WarmUpIT {
    private static final String CONFIG = """
            sluice {
              lifecycle.warm-up = %s
              offload.pools.db { workers = 7 }
              databases.shop { url = "jdbc:h2:mem:warm-up;DB_CLOSE_DELAY=-1", user = sa, pool = db }
              %s
              routes.hello { path = /hello, handler = text, text = hello }
              log { access = all, format = text }
            }
            """;

    private static String readiness(RunningGateway gateway) throws Exception {
        return gateway.getAdmin("/readyz").body();
    }

    private static void awaitReady(RunningGateway gateway) {
        await().atMost(Duration.ofMinutes(2)).until(() -> readiness(gateway).contains("\"ready\""));
    }

    @Test
    void isReadyWhenWarmAndConnected() throws Exception {
        try (var gateway = RunningGateway.start(CONFIG.formatted("20s", ""))) {
            assertThat(readiness(gateway)).contains("not ready", "starting");
            awaitReady(gateway);

            String metrics = gateway.getAdmin("/metrics").body();
            assertThat(metrics).contains("hikaricp_connections_idle{pool=\"shop\"} 7.0");
            assertThat(metrics).as("requests of clients, of which there were none")
                    .doesNotContain("http_server_requests_seconds_count", "sluice_websocket_")
                    .contains("sluice_offload_run_time_seconds_count{pool=\"db\"} 0");
        }
    }

    @Test
    void completesWithSmallConnectionLimits() throws Exception {
        var log = new LoggedEvents();
        var logger = (Logger) LoggerFactory.getLogger(WarmUp.class);
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
        try (var gateway = RunningGateway.start(CONFIG.formatted("20s", """
                server.max-requests-per-connection = 10
                http2.initial-window = 1KiB
                upstreams.gone { endpoints = ["http://127.0.0.1:1"] }
                databases."no {path}?" { url = "jdbc:h2:mem:warm-up", user = sa, pool = db }
                """))) {
            awaitReady(gateway);

            // four built-in handlers, two databases, and the proxy in front of two of those handlers
            assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).singleElement().asString()
                    .containsPattern("warmed up in \\d+ ms with \\d{3,} requests of 8 kinds");
        } finally {
            logger.detachAppender(log);
            logger.setLevel(null);
        }
    }

    @Test
    void clientRequestsEndTheWarmUp() throws Exception {
        try (var gateway = RunningGateway.start(CONFIG.formatted("1h", ""));
                var client = gateway.connect()) {
            assertThat(client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").read().body())
                    .isEqualTo("hello");

            awaitReady(gateway);
        }
    }

    @Test
    void doesNotWaitForAnUnreachableDatabase() throws Exception {
        try (var gateway = RunningGateway.start(CONFIG.formatted("1s", """
                databases.gone { url = "jdbc:postgresql://127.0.0.1:1/gone", user = a, pool = db
                  connection-timeout = 1s }
                """))) {
            await().until(() -> readiness(gateway).contains("serving"));
            assertThat(readiness(gateway)).contains("not ready", "\"gone\":false", "\"shop\":true");
        }
    }
}
