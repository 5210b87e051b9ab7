package io.sluice.gateway.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.RunningGateway;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A new gateway: every worker gets a connection to the database, from the first request on. */
class ColdPoolIT {
    private static final int WORKERS = 30;
    private static final String STATEMENT =
            "SELECT pg_backend_pid() AS session FROM pg_advisory_xact_lock_shared(1)";

    private final PostgresServer postgres = PostgresServer.get();
    private final PoolKind kind = PoolKind.VIRTUAL;

    @Test
    void everyRequestOfABurstOnANewGatewayIsAnswered() throws SQLException {
        try (RunningGateway gateway = RunningGateway.start("""
                sluice.offload.pools.main { workers = %d, deadline = 10m, %s }
                sluice.route-defaults.deadline = 10m
                sluice.database-defaults.connection-timeout = 20s
                sluice.databases.main { url = "%s", user = "%s", password = "%s", pool = main }
                sluice.routes.session { path = "/session", handler = query, database = main, sql = "%s" }
                """.formatted(WORKERS, kind.setting(), postgres.url(), postgres.user(),
                        postgres.password(), STATEMENT));
                var statements = new Statements(postgres.url(), postgres.user(), postgres.password())) {
            statements.change("SELECT pg_advisory_lock(1)");
            var answers = IntStream.range(0, WORKERS).mapToObj(_ -> gateway.client().sendAsync(
                    gateway.request("/session").build(), HttpResponse.BodyHandlers.ofString())).toList();
            await().until(() -> statements.running(STATEMENT) == WORKERS);
            statements.change("SELECT pg_advisory_unlock(1)");

            assertThat(answers.stream().map(CompletableFuture::join).map(HttpResponse::body).toList())
                    .as("sessions").doesNotHaveDuplicates().allMatch(body -> body.startsWith("[{"));
        }
    }
}
