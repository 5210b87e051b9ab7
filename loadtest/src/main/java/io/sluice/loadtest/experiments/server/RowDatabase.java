package io.sluice.loadtest.experiments.server;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A PostgreSQL on this machine with a table of items and an empty one of orders. Its binaries refuse to run
 * as root, so that root needs user namespaces to start it ({@code unshare -U}).
 */
public final class RowDatabase implements AutoCloseable {

    /** The user, which has no password. */
    public static final String USER = "postgres";
    /** The number of items; their ids start at 1. */
    public static final int ROWS = 100_000;

    private static final String TABLES = """
            CREATE TABLE items (id BIGINT PRIMARY KEY, name TEXT NOT NULL, price NUMERIC(10, 2) NOT NULL);
            INSERT INTO items SELECT n, 'item ' || n, n %% 10000 / 100.0 FROM generate_series(1, %d) AS s (n);
            CREATE TABLE orders (id BIGSERIAL PRIMARY KEY, item BIGINT NOT NULL, quantity INT NOT NULL,
                at TIMESTAMPTZ NOT NULL DEFAULT now());
            """.formatted(ROWS);

    private final EmbeddedPostgres postgres;

    private RowDatabase(EmbeddedPostgres postgres) {
        this.postgres = postgres;
    }

    /** Starts the database and fills the table. */
    public static RowDatabase start() throws IOException, SQLException {
        var postgres = EmbeddedPostgres.builder().setPGStartupWait(Duration.ofSeconds(60)).start();
        var database = new RowDatabase(postgres);
        try {
            database.execute(TABLES, "VACUUM ANALYZE items");
            return database;
        } catch (SQLException e) {
            database.close();
            throw e;
        }
    }

    /** The JDBC URL. */
    public String url() {
        return url(port());
    }

    /** The URL of the same database behind another port of this machine. */
    public static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(port);
    }

    /** The port on 127.0.0.1 that it serves. */
    public int port() {
        return postgres.getPort();
    }

    /** Runs statements as the superuser, each in a separate transaction. */
    public void execute(String... statements) throws SQLException {
        try (var connection = postgres.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            for (var sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public void close() throws IOException {
        postgres.close();
    }
}
