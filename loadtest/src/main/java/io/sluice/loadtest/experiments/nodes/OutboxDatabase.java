package io.sluice.loadtest.experiments.nodes;

import io.sluice.loadtest.experiments.process.ChildProcesses;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL on this machine that can be killed. Its table of changes has a row for each message that a
 * transaction has put into the outbox, which gateways empty.
 */
final class OutboxDatabase implements AutoCloseable {

    static final String USER = "postgres";

    private static final String CHANGES = "CREATE TABLE changes (topic text NOT NULL, message text NOT NULL)";
    private static final Duration STARTING = Duration.ofSeconds(60);
    private static final long LOOK_MILLIS = 10;

    private final Path folder = Files.createTempDirectory("sluice-postgres-");
    private final EmbeddedPostgres postgres;
    /** The command line of the server. */
    private final List<String> command;
    /** The server that was started again; null before. */
    private @Nullable Process again;

    private OutboxDatabase() throws IOException {
        // The embedded database would confirm commits before they are written.
        postgres = EmbeddedPostgres.builder().setDataDirectory(folder.resolve("data"))
                .setCleanDataDirectory(false).setServerConfig("synchronous_commit", "on")
                .setPGStartupWait(STARTING).start();
        var server = server().info();
        command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("unshare", "-U")); // it refuses to run as root
        }
        command.add(server.command().orElseThrow());
        command.addAll(List.of(server.arguments().orElseThrow()));
    }

    private ProcessHandle server() throws IOException {
        try (var lines = Files.lines(folder.resolve("data/postmaster.pid"))) {
            return ProcessHandle.of(Long.parseLong(lines.findFirst().orElseThrow().strip())).orElseThrow();
        }
    }

    /** Starts the database; blocks. */
    static OutboxDatabase start() throws IOException, SQLException {
        var database = new OutboxDatabase();
        try (var connection = database.connect(); var statement = connection.createStatement()) {
            statement.execute(CHANGES);
            return database;
        } catch (SQLException e) {
            database.close();
            throw e;
        }
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(postgres.getPort());
    }

    /** Opens a connection; blocks. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(url() + "?connectTimeout=5&socketTimeout=10", USER, "");
    }

    /** Kills all of its processes (SIGKILL); blocks until they have ended. */
    void kill() throws IOException, InterruptedException {
        var server = server();
        var all = Stream.concat(Stream.of(server), server.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        while (all.stream().anyMatch(ProcessHandle::isAlive)) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS); // they are no children of this process
        }
        ended();
    }

    private void ended() {
        if (again != null) {
            ChildProcesses.ended(again);
        }
    }

    /** Starts it again on the same port, with its data; blocks until it accepts connections. */
    void restart() throws IOException, InterruptedException {
        again = ChildProcesses.start(new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD));
        var end = System.nanoTime() + STARTING.toNanos();
        while (!accepts()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(
                        "%s: no connection after %s (expected: one)".formatted(url(), STARTING));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS); // it has to be polled
        }
    }

    private boolean accepts() {
        try (var _ = connect()) {
            return true;
        } catch (SQLException _) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        postgres.close();
        ended();
        try (var all = Files.walk(folder)) {
            for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
