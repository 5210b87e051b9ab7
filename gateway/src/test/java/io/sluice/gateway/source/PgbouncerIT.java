package io.sluice.gateway.source;

import static io.sluice.gateway.source.SourceBed.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** An outbox through PgBouncer in transaction mode, which supports polling and not LISTEN. */
class PgbouncerIT {

    @Test
    void twoReadersShareAnOutboxAndLeaveNothingInSessions() throws SQLException {
        try (var bed = new SourceBed().outbox()) {
            Pgbouncer bouncer = Pgbouncer.startOrSkip(PostgresServer.get());
            bed.other(bouncer);
            var one = new RecordingSink();
            var two = new RecordingSink();
            bed.readOutbox(bouncer.url(), one, "batch-rows = 20");
            bed.readOutbox(bouncer.url(), two, "batch-rows = 20");
            Connection producer = bed.other(
                    DriverManager.getConnection(bouncer.url(), bed.user(), bed.password()));
            for (int i = 0; i < 300; i++) {
                bed.insert(producer, "a", String.valueOf(i));
            }

            soon().until(() -> bed.rows() == 0);
            assertThat(one.size() + two.size()).isEqualTo(300);
            assertThat(one.repeated() + two.repeated()).isZero();
            try (var settings = producer.createStatement(); var row = settings.executeQuery("""
                    SELECT current_setting('statement_timeout'),
                      current_setting('idle_in_transaction_session_timeout'),
                      (SELECT count(*) FROM pg_prepared_statements)""")) {
                row.next();
                assertThat(row.getString(1)).isEqualTo("0");
                assertThat(row.getString(2)).isEqualTo("0");
                assertThat(row.getInt(3)).isZero();
            }
        }
    }
}
