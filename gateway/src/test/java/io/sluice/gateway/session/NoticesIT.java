package io.sluice.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.GatewayProcess;
import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.RawClient;
import org.junit.jupiter.api.Test;

/** Notices of PostgreSQL, of which its driver keeps all until the end of their statement. */
class NoticesIT {
    private static final String TALKATIVE = """
            CREATE OR REPLACE FUNCTION talkative(i INT) RETURNS INT LANGUAGE plpgsql AS
            $$ BEGIN RAISE NOTICE 'this is row %', i; RETURN i; END $$;
            """;

    @Test
    void doNotFillTheHeap() throws Exception {
        PostgresServer postgres = PostgresServer.get();
        SessionBed.execute(TALKATIVE);
        try (var gateway = GatewayProcess.start("""
                sluice {
                  offload.pools.main { workers = 1 }
                  databases.main { url = "%s", user = "%s", password = "%s", pool = main }
                  routes.all { path = "/", single = true, database = main, handler = query
                    sql = "SELECT sum(talkative(i)) AS total FROM generate_series(1, 200000) i" }
                }
                """.formatted(postgres.url(), postgres.user(), postgres.password()),
                "-Xmx64m", "-XX:+ExitOnOutOfMemoryError");
                var client = new RawClient(gateway.port())) {
            assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read().body())
                    .isEqualTo("{\"total\":20000100000}");
        }
    }
}
