package io.sluice.gateway;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * A PostgreSQL for tests. It runs in a container, or, if Docker does not start one within a minute, from the
 * binaries of io.zonky.test as a process of this machine. These refuse to run as root; as root they need user
 * namespaces ({@code unshare -U}). All tests of a JVM share one server, which ends with the JVM, and each
 * test creates tables of its own.
 */
public final class PostgresServer {
    /** The image of the container. */
    public static final String IMAGE = "postgres:17";

    private static PostgresServer running;

    private final String url;
    private final String user;
    private final String password;

    private PostgresServer(String url, String user, String password) {
        this.url = url;
        this.user = user;
        this.password = password;
    }

    /** Returns the shared server; starts it at the first call, and prints which kind it is. */
    public static synchronized PostgresServer get() {
        if (running == null) {
            running = start();
        }
        return running;
    }

    private static PostgresServer start() {
        try {
            return Containers.start(PostgresServer::inContainer);
        } catch (IllegalStateException e) {
            return asProcess();
        }
    }

    private static PostgresServer inContainer() {
        PostgreSQLContainer container = container();
        container.start();
        System.out.println("PostgreSQL for tests: container of " + IMAGE);
        return new PostgresServer(container.getJdbcUrl(), container.getUsername(), container.getPassword());
    }

    /** Returns a container with logical replication and without fsync. */
    public static PostgreSQLContainer container() {
        return new PostgreSQLContainer(IMAGE)
                .withCommand("postgres", "-c", "fsync=off", "-c", "wal_level=logical");
    }

    private static PostgresServer asProcess() {
        try {
            EmbeddedPostgres process = EmbeddedPostgres.builder()
                    .setServerConfig("wal_level", "logical").start();
            System.out.println("PostgreSQL for tests: embedded, as Docker brings no container up");
            return new PostgresServer(
                    "jdbc:postgresql://localhost:" + process.getPort() + "/postgres", "postgres", "postgres");
        } catch (IOException | IllegalStateException e) {
            throw new IllegalStateException("Docker brings no container up, and the embedded PostgreSQL does "
                    + "not start; is this root, and unshare -U not allowed?", e);
        }
    }

    public String url() {
        return url;
    }

    public String user() {
        return user;
    }

    public String password() {
        return password;
    }
}
