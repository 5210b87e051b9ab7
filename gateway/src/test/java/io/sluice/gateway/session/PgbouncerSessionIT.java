package io.sluice.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.source.Pgbouncer;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Settings by way of PgBouncer in transaction mode, which has two connections to the server. */
class PgbouncerSessionIT {
    private static final String ROUTES = """
            sluice.databases.notes.session.local { role = "text %s_app", search_path = "text %s" }
            sluice.routes.notes { path = /notes, single = true, sql = \"""
              SELECT string_agg(DISTINCT owner, ',') AS owners, current_setting('TimeZone') AS zone
              FROM notes\""" }
            """;

    @Test
    void callersSeeTheirOwnRowsAndFixedSettingsAreRefused() throws Exception {
        PostgresServer postgres = PostgresServer.get();
        var bouncer = Pgbouncer.start(postgres).orElse(null);
        if (bouncer == null) {
            System.out.println("SKIPPED, no PgBouncer: apt-get install pgbouncer");
        }
        assumeTrue(bouncer != null, "no PgBouncer");
        try (bouncer; var bed = new SessionBed("pgbouncer_it", 6, bouncer.url(), ROUTES)) {
            List<CompletableFuture<Void>> asking = IntStream.range(0, 6)
                    .mapToObj(i -> List.of("alice", "bob", "").get(i % 3))
                    .map(caller -> CompletableFuture.runAsync(() -> ask(bed, caller))).toList();
            asking.forEach(CompletableFuture::join);
            var fixed = new Properties();
            fixed.putAll(Map.of("user", postgres.user(), "options", "-c search_path=x"));
            assertThatThrownBy(() -> DriverManager.getConnection(bouncer.url(), fixed))
                    .isInstanceOf(SQLException.class).hasMessageContaining("unsupported startup parameter");
        }
    }

    private static void ask(SessionBed bed, String caller) {
        try {
            for (int i = 0; i < 50; i++) {
                var answer = bed.ask(caller, "GET", "/notes");
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                assertThat(answer.body()).isEqualTo("{\"owners\":\"" + caller + "\",\"zone\":\"UTC\"}");
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
