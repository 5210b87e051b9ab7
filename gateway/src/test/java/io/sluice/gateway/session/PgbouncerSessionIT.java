package io.sluice.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.source.Pgbouncer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
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
    /** Statements whose columns the gateway asks for, since the clients choose what of them they want. */
    private static final String FILTERED = IntStream.range(0, 12).mapToObj(i -> """
            sluice.routes.own%1$d { path = /own%1$d, filter.owner = [eq]
              sql = "SELECT id, owner, %1$d AS n FROM %%s.notes" }
            """.formatted(i)).collect(Collectors.joining());

    @Test
    void callersSeeTheirOwnRowsAndFixedSettingsAreRefused() throws Exception {
        PostgresServer postgres = PostgresServer.get();
        Pgbouncer bouncer = Pgbouncer.startOrSkip(postgres);
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

    /** PgBouncer hands on the connections that a transaction has changed, and there are no names to share. */
    @Test
    void catalogQueriesLeaveNoSessionState() throws Exception {
        PostgresServer postgres = PostgresServer.get();
        Pgbouncer bouncer = Pgbouncer.startOrSkip(postgres);
        try (bouncer; var bed = new SessionBed("pgbouncer_left_it", 6, bouncer.url(), ROUTES + FILTERED)) {
            IntStream.range(0, 12).mapToObj(i -> CompletableFuture.runAsync(() -> filter(bed, i))).toList()
                    .forEach(CompletableFuture::join);
            assertThat(bed.gateway().checkStatements()).doesNotContain("sluice.routes.");
            try (var one = DriverManager.getConnection(bouncer.url(), postgres.user(), postgres.password());
                    var other = DriverManager.getConnection(bouncer.url(), postgres.user(),
                            postgres.password())) {
                assertThat(left(one)).isEqualTo("0 0");
                assertThat(left(other)).isEqualTo("0 0");
            }
        }
    }

    private static void filter(SessionBed bed, int i) {
        try {
            var answer = bed.ask("alice", "GET", "/own" + i + "?owner=alice");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Begins a transaction, so that a further one is that of the other server connection. */
    private static String left(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement(); var row = statement.executeQuery("""
                SELECT count(*) || ' ' || current_setting('statement_timeout') FROM pg_prepared_statements
                """)) {
            row.next();
            return row.getString(1);
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
