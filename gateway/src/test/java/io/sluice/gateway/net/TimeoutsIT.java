package io.sluice.gateway.net;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.sluice.config.type.Method;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.logging.LoggedEvents;
import io.sluice.handlers.http.EchoHandler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** Timeouts of connections: clients that are slow to send or to read. */
class TimeoutsIT {
    private static final LoggedEvents LOG = new LoggedEvents();

    /** A deadline, which limits the work of making an answer, and not its transmission. */
    private static final Duration SOON = Duration.ofMillis(500);

    private static HandlerServer server;

    @BeforeAll
    static void start() {
        LOG.start();
        logger().addAppender(LOG);
        String t = "sluice.server.timeouts.";
        String large = "x".repeat(500_000);
        server = HandlerServer.withClock(Map.of("sluice.server.send-buffer", "8KiB",
                        "sluice.server.write-buffer-low", "8KiB", "sluice.server.write-buffer-high", "16KiB",
                        t + "first-head", "1s", t + "head", "500ms", t + "idle", "1s", t + "stall", "1s",
                        t + "min-rate", "1000"),
                route("/hello", exchange -> answer(exchange, "hi")),
                route("/large", Set.of(Method.GET), SOON, exchange -> answer(exchange, large)),
                route("/upload", exchange -> exchange.readBody(_ -> answer(exchange, "taken"))),
                route("/echo", new EchoHandler()),
                route("/slow", exchange -> exchange.eventLoop().schedule(
                        () -> answer(exchange, "at last"), 4, TimeUnit.SECONDS)));
    }

    @AfterAll
    static void stop() {
        server.close();
        logger().detachAppender(LOG);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("io.sluice.gateway.net");
    }

    @ParameterizedTest
    @EnumSource
    void slowClientsTimeOut(SlowClient client) throws Exception {
        assertThat(client.run(server)).isEqualTo(client.expected());
        assertThat(List.copyOf(LOG.list)).noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.WARN));
    }
}
