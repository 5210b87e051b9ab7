package io.sluice.loadtest.experiments.server;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A PostgreSQL on this machine with a table of items. Its binaries refuse to run as root; started by root
 * they need user namespaces ({@code unshare -U}).
 */
public final class RowDatabase implements AutoCloseable {

    /** Items, with ids from 1 on. */
    public static final int ROWS = 100_000;

    private static final String ITEMS = """
            CREATE TABLE items (id BIGINT PRIMARY KEY, name TEXT NOT NULL, price NUMERIC(10, 2) NOT NULL);
            INSERT INTO items SELECT n, 'item ' || n, n %% 10000 / 100.0 FROM generate_series(1, %d) AS s (n);
            """.formatted(ROWS);

    private final EmbeddedPostgres postgres;

    private RowDatabase(EmbeddedPostgres postgres) {
        this.postgres = postgres;
    }

    /** Starts it and fills the table. */
    public static RowDatabase start() throws IOException, SQLException {
        var postgres = EmbeddedPostgres.builder().setPGStartupWait(Duration.ofSeconds(60)).start();
        var database = new RowDatabase(postgres);
        try (var connection = postgres.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(ITEMS);
            statement.execute("VACUUM ANALYZE items");
            return database;
        } catch (SQLException e) {
            database.close();
            throw e;
        }
    }

    /** Its JDBC URL; the user is {@code postgres}, with no password. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(postgres.getPort());
    }

    @Override
    public void close() throws IOException {
        postgres.close();
    }
}
