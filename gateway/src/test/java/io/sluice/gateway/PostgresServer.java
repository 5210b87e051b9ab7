package io.sluice.gateway;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * A PostgreSQL for tests: in a container where Docker brings one up within a minute, else the binaries
 * from io.zonky.test as a process of this machine. Those refuse to run as root; started by root they need
 * user namespaces ({@code unshare -U}), or ask for a Docker engine. There is one for all tests of a JVM, and
 * it ends with that; a test has tables of its own in it.
 */
public final class PostgresServer {
    /** The image that tests run it from. */
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

    /** The running one; starts it where there is none, and says on standard output which. */
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

    /** One that can replicate logically, and that does not wait for its disk. */
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
