package io.sluice.gateway.offload;

import io.sluice.gateway.PostgresServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.ExecConfig;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** A PostgreSQL and its streaming replica, in one container. */
public final class ReplicatedPostgres implements AutoCloseable {
    private static final int REPLICA_PORT = 5433;
    private static final String REPLICATE = """
            psql -U test -d test -At <<'END'
            SELECT pg_backup_start('replica', true) \\g /dev/null
            \\! cp -a "$PGDATA" /tmp/replica
            \\o /tmp/replica/backup_label
            SELECT labelfile FROM pg_backup_stop();
            END
            cd /tmp/replica && rm -f postmaster.pid postmaster.opts && touch standby.signal
            echo "primary_conninfo = 'host=127.0.0.1 user=test'" >> postgresql.auto.conf
            $(dirname "$(readlink -f "$(which postgres)")")/pg_ctl -D /tmp/replica -w -l /tmp/replica.log \\
              -o "-p 5433 -c listen_addresses=* -c fsync=off" start || { cat /tmp/replica.log; exit 1; }
            """;

    private final PostgreSQLContainer container;

    /** Starts both. */
    public ReplicatedPostgres() {
        container = PostgresServer.container();
        container.addExposedPort(REPLICA_PORT);
        container.start();
        try {
            ExecResult made = container.execInContainer(ExecConfig.builder().user("postgres")
                    .command(new String[] {"bash", "-c", REPLICATE}).build());
            if (made.getExitCode() != 0) {
                throw new IOException(made.toString());
            }
        } catch (IOException | InterruptedException e) {
            container.stop();
            throw new IllegalStateException("no replica", e);
        }
    }

    int primaryPort() {
        return container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT);
    }

    public int replicaPort() {
        return container.getMappedPort(REPLICA_PORT);
    }

    public String host() {
        return container.getHost();
    }

    public String name() {
        return container.getDatabaseName();
    }

    public String user() {
        return container.getUsername();
    }

    public String password() {
        return container.getPassword();
    }

    /** Executes SQL on the server of a port. */
    void execute(int port, String sql) throws SQLException {
        try (Connection connection = connect(port); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Returns the number of sessions on the server of a port whose last statement was this one. */
    int sessions(int port, String lastSql) throws SQLException {
        try (Connection connection = connect(port);
                PreparedStatement statement = connection.prepareStatement(
                        "SELECT count(*) FROM pg_stat_activity WHERE query = ?")) {
            statement.setString(1, lastSql);
            try (ResultSet counted = statement.executeQuery()) {
                counted.next();
                return counted.getInt(1);
            }
        }
    }

    private Connection connect(int port) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://" + host() + ':' + port + '/' + name(), user(),
                password());
    }

    @Override
    public void close() {
        container.stop();
    }
}
