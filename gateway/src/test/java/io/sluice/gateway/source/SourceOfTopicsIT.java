package io.sluice.gateway.source;

import static io.sluice.gateway.source.SourceBed.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.SocketClient;
import io.sluice.gateway.StatementProxy;
import org.junit.jupiter.api.Test;

/** Topics that are fed by a source, in a whole gateway. */
class SourceOfTopicsIT {
    private static final String ROUTES = """
            sluice.offload.pools.main { workers = 1 }
            sluice.databases.db { url = "%s", user = "%s", password = "%s", pool = main }
            sluice.routes {
              ws { path = "/ws/{topic}", handler = ws-topic, topics = news, publish = false }
              hello { path = /hello, handler = text, text = hi }
            }
            """;
    private static final String READERS =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'sluice-outbox'";
    private static final String SESSION =
            "SELECT max(pid) FROM pg_stat_activity WHERE application_name = 'sluice-outbox'";

    private final PostgresServer postgres = PostgresServer.get();
    private final String routes = ROUTES.formatted(postgres.url(), postgres.user(), postgres.password());

    @Test
    void messagesOfTheDatabaseAreThoseOfTheTopic() throws Exception {
        String source = """
                sluice.topics.news.source { database = db, outbox = sluice_outbox, poll-interval = 50ms }
                sluice.databases.db.init-script = "sluice-outbox.sql"
                """;
        try (var bed = new SourceBed(postgres.url(), postgres.user(), postgres.password(), "sluice_outbox");
                var gateway = RunningGateway.start(routes + source);
                var client = SocketClient.connect(gateway, "/ws/a")) {
            bed.insert("b", "for others");
            bed.insert("a", "ü");
            assertThat(client.next()).isEqualTo("ü");
            soon().untilAsserted(() -> assertThat(
                    gateway.getAdmin("/metrics").body()).contains(
                    "sluice_topics_source_messages_total{topics=\"news\"} 2",
                    "sluice_topics_source_active{topics=\"news\"} 1", "sluice_topics_source_lag_seconds",
                    "sluice_topics_source_failures_total", "sluice_topics_source_log_bytes"));

            long session = bed.number(SESSION);
            gateway.reload(routes + source + "sluice.log.access = all\n");
            assertThat(bed.number(SESSION)).as("a reload of the same keeps the reader").isEqualTo(session);
            gateway.reload(routes + source + "sluice.topics.news.source.batch-rows = 1\n");
            bed.insert("a", "by another reader");
            assertThat(client.next()).isEqualTo("by another reader");
            // The reader before may still have sent that message.
            soon().ignoreExceptions().until(() -> bed.number(READERS) == 1 && bed.number(SESSION) != session);

            gateway.reload(routes + "sluice.topics.news {}\n");
            soon().until(() -> bed.number(READERS) == 0);
            assertThat(gateway.getAdmin("/metrics").body()).doesNotContain("sluice_topics_source");
            bed.insert("a", "for nobody");
            assertThat(bed.rows()).isEqualTo(1);
            bed.execute("DROP TABLE sluice_outbox");
        }
    }

    @Test
    void aDatabaseThatIsGoneDoesNotHoldUpTheStart() throws Exception {
        int port = RunningGateway.freePort();
        try (var bed = new SourceBed().outbox()) {
            bed.insert("a", "1");
            String away = postgres.url().replaceFirst("//[^/]*", "//127.0.0.1:" + port);
            try (var gateway = RunningGateway.start(routes.replace(postgres.url(), away) + """
                    sluice.topics.news { last-messages = 1KiB, source { database = db, outbox = %s } }
                    """.formatted(bed.name))) {
                assertThat(gateway.get("/hello").body()).isEqualTo("hi");
                soon().until(() -> gateway.getAdmin("/metrics").body().lines()
                        .anyMatch(line -> line.matches("sluice_topics_source_failures_total.* [1-9].*")));
                bed.other(new StatementProxy(postgres.url(), port));
                soon().until(() -> bed.rows() == 0);
                try (var client = SocketClient.connect(gateway, "/ws/a")) {
                    assertThat(client.next()).isEqualTo("1");
                }
            }
        }
    }
}
