package io.sluice.gateway.source;

import io.sluice.gateway.Containers;
import io.sluice.gateway.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** PgBouncer in transaction mode in front of a database, as a process of this machine (Debian's package). */
public final class Pgbouncer implements AutoCloseable {
    private static final List<String> BINARIES = List.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer");

    private final Process process;
    private final Path settings;
    private final int port;
    private final String database;

    private Pgbouncer(String binary, PostgresServer server) throws IOException {
        URI to = URI.create(server.url().substring("jdbc:".length()));
        database = to.getPath().substring(1);
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        settings = Files.createTempFile("pgbouncer", ".ini");
        Files.writeString(settings, """
                [databases]
                %s = host=%s port=%d user=%s password=%s
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = 2
                """.formatted(database, InetAddress.getByName(to.getHost()).getHostAddress(), to.getPort(),
                server.user(), server.password(), port));
        var command = new ArrayList<String>(List.of(binary, "--quiet", settings.toString()));
        if ("root".equals(System.getProperty("user.name"))) {
            Files.setPosixFilePermissions(settings, PosixFilePermissions.fromString("rw-r--r--"));
            command.add("--user=nobody"); // PgBouncer refuses to run as root
        }
        process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT).start();
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(this::listens);
    }

    private boolean listens() {
        try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Starts a PgBouncer; skips the test if it is not installed. */
    public static Pgbouncer startOrSkip(PostgresServer server) {
        String binary = BINARIES.stream().filter(path -> Files.isExecutable(Path.of(path))).findFirst()
                .orElseGet(() -> Containers.skipProgram("apt-get install pgbouncer"));
        try {
            return new Pgbouncer(binary, server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the JDBC URL of the database through PgBouncer. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + '/' + database + "?sslmode=disable&prepareThreshold=0";
    }

    @Override
    public void close() {
        process.destroy();
        try (Stream<ProcessHandle> children = process.descendants()) {
            children.forEach(ProcessHandle::destroy);
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            Files.deleteIfExists(settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
