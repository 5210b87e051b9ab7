package io.sluice.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.logging.LoggedEvents;
import io.sluice.handlers.upstream.Endpoint;
import io.sluice.handlers.upstream.EndpointStats.State;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** The log of endpoints that go down and come back. */
@Timeout(120)
class EndpointLogIT {
    private static final int FAILURES = 3;

    private final LoggedEvents log = new LoggedEvents();

    @BeforeEach
    void listen() {
        log.start();
        logger().addAppender(log);
        logger().setLevel(Level.INFO);
    }

    @AfterEach
    void stopListening() {
        logger().detachAppender(log);
        logger().setLevel(null);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger(Endpoint.class);
    }

    private static RunningGateway gateway(String url) {
        return RunningGateway.start("""
                sluice {
                  upstreams.shop { endpoints = ["%s"], retries = 0 }
                  routes.proxy { path = "/**", handler = proxy, upstream = shop }
                }
                """.formatted(url));
    }

    private static State state(RunningGateway gateway) {
        return gateway.upstream("shop").endpoints().getFirst().state();
    }

    private List<String> messages() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** One line in 10 s for each, however often it changes; and none of its return without one before. */
    @Test
    void hasFewLinesOfAnEndpointThatFlaps() throws Exception {
        var broken = new AtomicBoolean();
        try (Origin flapping = Origin.start("flapping", _ -> broken.get() ? null : "up");
                RunningGateway gateway = gateway(flapping.url())) {
            for (int i = 0; i < 10; i++) {
                State before = state(gateway);
                broken.set(before == State.UP);
                while ((state(gateway) == State.UP) == (before == State.UP)) {
                    gateway.get("/");
                }
            }
        }
        assertThat(messages()).hasSizeLessThan(10); // 2, but on a machine that is very busy
        for (int i = 0; i < messages().size(); i += 2) {
            assertThat(messages().get(i)).contains("is down after failures in a row");
            assertThat(messages().get(i + 1)).contains("is up again after a response");
        }
    }

    /** Then other clients get it back without a probe. */
    @Test
    void tellsOfAnEndpointThatFailsForOneClientOnly() throws Exception {
        try (Origin origin = Origin.start("origin", head -> head.contains("/crash") ? null : "served");
                RunningGateway gateway = gateway(origin.url())) {
            for (int i = 0; i < FAILURES; i++) {
                assertThat(gateway.get("/crash").statusCode()).isEqualTo(502);
            }
            assertThat(state(gateway)).isEqualTo(State.DOWN);
            assertThat(statusForNeighbour(gateway.port())).isEqualTo(200);
        }
        assertThat(messages()).hasSize(2);
        assertThat(messages().getLast()).contains("is up again as only requests of one client failed");
    }

    private static int statusForNeighbour(int port) throws IOException {
        try (RawClient other = new RawClient(new Socket(InetAddress.getLoopbackAddress(), port,
                InetAddress.ofLiteral("127.0.0.2"), 0))) {
            return other.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read().status();
        }
    }
}
