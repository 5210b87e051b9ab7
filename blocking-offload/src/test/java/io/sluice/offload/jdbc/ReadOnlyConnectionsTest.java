package io.sluice.offload.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.PoolConfig;
import io.sluice.config.PoolConfig.Kind;
import io.sluice.offload.Deadline;
import io.sluice.offload.Offload;
import io.sluice.offload.PoolObserver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadOnlyConnectionsTest {
    private static final int WORKERS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final EventExecutor home = new DefaultEventExecutor();
    private final Offload pool = Offload.start("sql",
            PoolConfig.of(Kind.PLATFORM, WORKERS, 10, Duration.ofMinutes(5)), PoolObserver.NONE);
    private final Database database = new Database("h2", DatabaseConfigs.of(
            "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", PATIENCE, Duration.ofHours(1)), pool);

    @AfterEach
    void close() {
        pool.close();
        database.close();
        home.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /** The first failure may be that of a former primary; the others are those of a role, or of a standby. */
    @Test
    void connectionsAreReplacedOnlyOnceIfAllAreReadOnly() throws Exception {
        database.connect(null);
        database.open();
        var sessions = new ArrayList<Integer>();
        for (int i = 0; i < 20; i++) {
            Future<?> refused = database.submit(null, Deadline.after(PATIENCE), home, (connection, _) -> {
                try (Statement statement = connection.createStatement();
                        ResultSet row = statement.executeQuery("SELECT SESSION_ID()")) {
                    row.next();
                    sessions.add(row.getInt(1));
                }
                throw new SQLException("cannot execute INSERT in a read-only transaction", "25006");
            });
            assertThat(refused.await(PATIENCE.toMillis())).isTrue();
        }

        assertThat(sessions).hasSize(20);
        assertThat(sessions.subList(1, 20)).doesNotContain(sessions.getFirst());
        assertThat(new HashSet<>(sessions)).hasSizeBetween(2, 2 * WORKERS);
    }
}
