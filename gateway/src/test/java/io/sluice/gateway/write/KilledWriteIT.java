package io.sluice.gateway.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.StatementProxy;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A gateway that loses its database between any two steps of a change, as one does that is killed there. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KilledWriteIT {
    private static final String CONFIG = """
            sluice {
              offload.pools.p { workers = 1 }
              databases.d {
                url = "%s", user = "%s", password = "%s", pool = p, connection-timeout = 20s
                probe-interval = 100ms
                init-script = [sluice-idempotency.sql, killed-write.sql]
              }
              handler-defaults.query.database = d
              routes {
                change {
                  path = "/changes/{name}", methods = [POST], handler = query, single = true
                  sql = "UPDATE killed_totals SET n = n + 1 RETURNING n"
                  write {
                    steps = [
                      { name = made, sql = "INSERT INTO killed_changes (name) VALUES (:name) RETURNING id" }
                      { sql = "INSERT INTO killed_details (change_id) VALUES (:made.id)" }]
                    status = 201, idempotency.required = true
                  }
                  parameters.name.type = text
                }
                futile { path = "/futile/{n}", methods = [POST], handler = query, write {}
                  sql = "UPDATE killed_attempts SET n = n WHERE n = :n", parameters.n.type = int }
                attempts { path = /attempts, handler = query, sql = "SELECT n FROM killed_attempts" }
                state { path = /state, handler = query, single = true, sql = \"""
                  SELECT (SELECT COUNT(*) FROM killed_changes) AS changes,
                    (SELECT COUNT(*) FROM killed_details) AS details, n FROM killed_totals\""" }
              }
            }
            """;

    /** Behind each of them the connection is lost. */
    private static final List<String> STATEMENTS = List.of("BEGIN", "INSERT INTO \"public\".\"sluice_id",
            "INSERT INTO killed_changes", "INSERT INTO killed_details", "UPDATE killed_totals",
            "UPDATE \"public\".\"sluice_id", "COMMIT");

    private StatementProxy proxy;
    private RunningGateway gateway;

    @BeforeAll
    void start() throws Exception {
        PostgresServer postgres = PostgresServer.get();
        proxy = new StatementProxy(postgres.url());
        gateway = RunningGateway.start(CONFIG.formatted(proxy.url(), postgres.user(), postgres.password()));
    }

    @AfterAll
    void stop() throws Exception {
        gateway.close();
        proxy.close();
    }

    @Test
    void aChangeThatIsRepeatedAfterwardsIsMadeOnce() throws Exception {
        int changes = 0;
        for (String statement : STATEMENTS) {
            HttpResponse<String> lost;
            do { // again if the check of statements, which begins a transaction, too, has lost its connection
                proxy.cutNext(statement);
                lost = send("c" + ++changes);
            } while (lost.statusCode() == 201 && proxy.hasCut());
            assertThat(lost.statusCode()).as(statement).isEqualTo(503);
            assertThat(proxy.hasCut()).as(statement).isTrue();

            String name = "c" + changes;
            var answer = new AtomicReference<HttpResponse<String>>();
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                answer.set(send(name));
                return answer.get().statusCode() == 201;
            });
            assertThat(answer.get().body()).as(statement).isEqualTo("{\"n\":" + changes + '}');
            assertThat(answer.get().headers().firstValue("idempotent-replayed").isPresent()).as(statement)
                    .isEqualTo(statement.equals("COMMIT"));
            assertThat(gateway.get("/state").body()).as(statement).isEqualTo(
                    "{\"changes\":%1$d,\"details\":%1$d,\"n\":%1$d}".formatted(changes));
        }
    }

    /** Also when it is known that the statement returns no rows: a trigger may have changed some. */
    @Test
    void nothingRemainsOfAChangeThatChangesNothing() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(gateway.post("/futile/1", "").statusCode()).isEqualTo(404);
        }
        assertThat(gateway.get("/attempts").body()).isEqualTo("[{\"n\":0}]");
        assertThat(gateway.post("/futile/0", "").statusCode()).isEqualTo(200);
        for (int i = 0; i < 3; i++) {
            assertThat(gateway.post("/futile/1", "").statusCode()).isEqualTo(404);
        }
        assertThat(gateway.get("/attempts").body()).isEqualTo("[{\"n\":0},{\"n\":-1}]");
    }

    private HttpResponse<String> send(String name) throws Exception {
        return gateway.send(gateway.request("/changes/" + name).header("Idempotency-Key", name)
                .POST(BodyPublishers.noBody()));
    }
}
