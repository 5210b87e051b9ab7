package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.sluice.gateway.logging.LoggedEvents;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The ways to run blocking work that are there to be measured, not to be used. They work all the same. */
class ExperimentsIT {
    private static final String ROUTES = """
            sluice.offload.pools.few { execution = event-loop, workers = 4 }
            sluice.routes {
              thread { path = "/sleep", handler = delay, mode = blocking, pool = few, duration = 5ms }
              echo { path = "/echo", methods = [POST], handler = echo }
            }
            """;

    private final LoggedEvents log = new LoggedEvents();

    @BeforeEach
    void listen() {
        log.start();
        ((Logger) LoggerFactory.getLogger("io.sluice")).addAppender(log);
    }

    @AfterEach
    void stopListening() {
        ((Logger) LoggerFactory.getLogger("io.sluice")).detachAppender(log);
    }

    @Test
    void workOnTheEventLoop() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(ROUTES)) {
            assertServes(gateway);
        }
        assertWarned("offload pool few has execution = event-loop: its work BLOCKS");
    }

    @Test
    void workOnThreadsToWhichConnectionsArePinned() throws Exception {
        try (RunningGateway gateway = RunningGateway.start(ROUTES + "sluice.server.pinned-threads = 4")) {
            assertServes(gateway);
            assertThat(Thread.getAllStackTraces().keySet())
                    .anyMatch(thread -> thread.getName().startsWith("pinned-"));
        }
        assertWarned("sluice.server.pinned-threads = 4: one slow request DELAYS");
    }

    private void assertWarned(String start) {
        assertThat(log.list).filteredOn(event -> event.getLevel() == Level.WARN)
                .extracting(ILoggingEvent::getFormattedMessage).anyMatch(line -> line.startsWith(start));
    }

    private static void assertServes(RunningGateway gateway) throws Exception {
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            answers.add(gateway.client().sendAsync(gateway.request("/sleep").build(),
                    BodyHandlers.ofString()).thenApply(HttpResponse::body));
        }
        assertThat(answers).extracting(CompletableFuture::join).containsOnly("{\"delayMs\":5}");
        String body = "a".repeat(300_000);
        assertThat(gateway.post("/echo", body).body()).isEqualTo(body);
        try (RawClient client = gateway.connect()) {
            client.send("GET /sleep HTTP/1.1\r\nHost: a\r\n\r\n".repeat(20));
            for (int i = 0; i < 20; i++) {
                assertThat(client.read().body()).isEqualTo("{\"delayMs\":5}");
            }
        }
        assertThat(gateway.getAdmin("/metrics").body()).contains("sluice_offload_busy{pool=\"few\"} 0.0");
    }
}
