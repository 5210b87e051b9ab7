package io.sluice.gateway;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * A PostgreSQL for tests: in a container where Docker brings one up within a minute, else the binaries
 * from io.zonky.test as a process of this machine. Those refuse to run as root; started by root they need
 * user namespaces ({@code unshare -U}), or ask for a Docker engine.
 */
public final class PostgresServer implements Closeable {
    private static final String IMAGE = "postgres:17";
    /** Without its images and a registry, Docker is asked in vain for seven. */
    private static final long PATIENCE_MINUTES = 1;

    private final Closeable server;
    private final String url;
    private final String user;
    private final String password;

    private PostgresServer(Closeable server, String url, String user, String password) {
        this.server = server;
        this.url = url;
        this.user = user;
        this.password = password;
    }

    /** Starts one, and says on standard output which. */
    public static PostgresServer start() {
        CompletableFuture<PostgresServer> container = CompletableFuture.supplyAsync(
                PostgresServer::inContainer, task -> Thread.ofPlatform().daemon().start(task));
        try {
            return container.get(PATIENCE_MINUTES, TimeUnit.MINUTES);
        } catch (TimeoutException | ExecutionException e) {
            container.thenAccept(PostgresServer::close);
            return asProcess();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static PostgresServer inContainer() {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            throw new IllegalStateException("no Docker engine answers");
        }
        var container = new PostgreSQLContainer(IMAGE);
        container.start();
        System.out.println("PostgreSQL for tests: container of " + IMAGE);
        return new PostgresServer(container::stop, container.getJdbcUrl(), container.getUsername(),
                container.getPassword());
    }

    private static PostgresServer asProcess() {
        try {
            EmbeddedPostgres process = EmbeddedPostgres.start();
            System.out.println("PostgreSQL for tests: embedded, as Docker brings no container up");
            return new PostgresServer(process,
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

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
