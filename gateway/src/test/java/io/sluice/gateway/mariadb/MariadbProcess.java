package io.sluice.gateway.mariadb;

import io.sluice.gateway.Containers;
import io.sluice.gateway.RunningGateway;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A MariaDB of this machine (Debian's package mariadb-server) with a database, and one time zone with a name,
 * as a process that can go.
 */
final class MariadbProcess implements AutoCloseable {
    private static final Path SERVER = Path.of("/usr/sbin/mariadbd");
    private static final Path INSTALLER = Path.of("/usr/bin/mariadb-install-db");
    private static final String INIT = """
            CREATE DATABASE IF NOT EXISTS shop;
            CREATE USER IF NOT EXISTS sluice IDENTIFIED BY 's3cret';
            GRANT ALL ON shop.* TO sluice;
            INSERT IGNORE INTO mysql.time_zone VALUES (1, 'N');
            INSERT IGNORE INTO mysql.time_zone_name VALUES ('Asia/Kolkata', 1);
            INSERT IGNORE INTO mysql.time_zone_transition_type VALUES (1, 0, 19800, 0, 'IST');
            """;

    private final Path directory;
    private final int port;
    private Process process;

    private MariadbProcess() throws IOException, InterruptedException {
        directory = Files.createTempDirectory("mariadb");
        Files.writeString(directory.resolve("init.sql"), INIT);
        port = RunningGateway.freePort();
        run(INSTALLER.toString(), "--no-defaults", "--datadir=" + directory.resolve("data"),
                "--auth-root-authentication-method=normal", "--skip-test-db").waitFor();
        start();
    }

    /** Returns whether there is one on this machine. */
    static boolean isInstalled() {
        return Files.isExecutable(SERVER) && Files.isExecutable(INSTALLER);
    }

    /** Starts one; skips the test if there is none on this machine. */
    static MariadbProcess startOrSkip() throws IOException, InterruptedException {
        return isInstalled() ? new MariadbProcess()
                : Containers.skipProgram("apt-get install mariadb-server");
    }

    /** Starts it, at first or again. */
    void start() throws IOException {
        process = run(SERVER.toString(), "--no-defaults", "--datadir=" + directory.resolve("data"),
                "--port=" + port, "--socket=" + directory.resolve("socket"), "--bind-address=127.0.0.1",
                "--skip-name-resolve", "--innodb-flush-log-at-trx-commit=2", "--innodb-buffer-pool-size=16M",
                "--init-file=" + directory.resolve("init.sql"));
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(this::takesLogins);
    }

    private Process run(String program, String... options) throws IOException {
        var command = new ArrayList<String>(List.of(program));
        command.addAll(List.of(options));
        if ("root".equals(System.getProperty("user.name"))) {
            command.add("--user=root"); // it refuses to be root unless told to
        }
        return new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile())).start();
    }

    /** Returns whether the server has begun to serve, with the user of its script. */
    private boolean takesLogins() {
        try (var _ = DriverManager.getConnection(url(), "sluice", "s3cret")) {
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    /** Kills it. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Sends it a signal, such as STOP. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
    }

    String url() {
        return "jdbc:mariadb://127.0.0.1:" + port + "/shop";
    }

    @Override
    public void close() {
        kill();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
