package io.sluice.gateway.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.RunningGateway;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What has a worker has a connection, from the first request on. */
class ColdPoolIT {
    private static final int WORKERS = 30;

    private final PostgresServer postgres = PostgresServer.get();
    private final PoolKind kind = PoolKind.VIRTUAL;

    @Test
    void everyRequestOfABurstOnANewGatewayIsAnswered() {
        try (RunningGateway gateway = RunningGateway.start("""
                sluice.offload.pools.main { workers = %d, deadline = 60s, %s }
                sluice.databases.main { url = "%s", user = "%s", password = "%s", pool = main }
                sluice.routes.session {
                  path = "/session", handler = query, database = main
                  sql = "SELECT pg_backend_pid() AS session FROM pg_sleep(5)"
                }
                """.formatted(WORKERS, kind.setting(), postgres.url(), postgres.user(),
                        postgres.password()))) {
            var answers = IntStream.range(0, WORKERS).mapToObj(_ -> gateway.client().sendAsync(
                    gateway.request("/session").build(), HttpResponse.BodyHandlers.ofString())).toList();

            assertThat(answers.stream().map(CompletableFuture::join).map(HttpResponse::body).toList())
                    .as("sessions").doesNotHaveDuplicates().allMatch(body -> body.startsWith("[{"));
        }
    }
}
