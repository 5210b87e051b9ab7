package io.sluice.gateway.bus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.Containers;
import io.sluice.gateway.RunningGateway;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.MountableFile;

/**
 * A Redis or a Sentinel on a port of 127.0.0.1, which is also the address that it tells others: Debian's
 * redis-server, else a container with the network of this machine, else the tests are skipped.
 */
final class LocalRedis implements AutoCloseable {
    private static final Path BINARY = Path.of("/usr/bin/redis-server");

    private final int port;
    private final int clusterPort;
    private final AutoCloseable server;

    private LocalRedis(int port, int clusterPort, AutoCloseable server) {
        this.port = port;
        this.clusterPort = clusterPort;
        this.server = server;
        await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(20)).ignoreExceptions()
                .until(() -> command("PING").equals("+PONG"));
    }

    static LocalRedis start(String... options) throws IOException {
        return start(0, options);
    }

    private static LocalRedis start(int clusterPort, String... options) throws IOException {
        var lines = new ArrayList<>(List.of("save \"\"", "appendonly no", "repl-diskless-sync-delay 0"));
        lines.addAll(List.of(options));
        return start(clusterPort, false, lines);
    }

    /** A node of a cluster that does not know others yet. */
    static LocalRedis startNode() throws IOException {
        int clusterPort = RunningGateway.freePort();
        return start(clusterPort, "cluster-enabled yes", "cluster-port " + clusterPort,
                "cluster-node-timeout 2000", "cluster-replica-validity-factor 0");
    }

    /** Makes two nodes, and all that they know, a cluster. */
    void meet(LocalRedis other) throws IOException {
        command("CLUSTER MEET 127.0.0.1 " + other.port + " " + other.clusterPort);
    }

    /** A Sentinel of a master by the name m, which alone decides that it is down. */
    static LocalRedis sentinel(LocalRedis master) throws IOException {
        return start(0, true, List.of("sentinel monitor m 127.0.0.1 " + master.port + " 1",
                "sentinel down-after-milliseconds m 1500", "sentinel failover-timeout m 2000"));
    }

    private static LocalRedis start(int clusterPort, boolean sentinel, List<String> options)
            throws IOException {
        int port = RunningGateway.freePort();
        Path directory = Files.createTempDirectory("redis-test");
        var lines = new ArrayList<>(List.of("port " + port, "bind 127.0.0.1"));
        lines.addAll(options);
        Path config = Files.write(directory.resolve("redis.conf"), lines);
        var command = new ArrayList<>(List.of("redis-server", config.toString()));
        if (sentinel) {
            command.add("--sentinel");
        }
        if (Files.isExecutable(BINARY)) {
            command.addFirst(command.removeFirst().replace("redis-server", BINARY.toString()));
            Process process = new ProcessBuilder(command).directory(directory.toFile())
                    .redirectErrorStream(true).redirectOutput(directory.resolve("log").toFile()).start();
            return new LocalRedis(port, clusterPort, process::destroyForcibly);
        }
        return new LocalRedis(port, clusterPort, Containers.startOrSkip(() -> inContainer(config, command)));
    }

    @SuppressWarnings("resource") // ends with the server
    private static GenericContainer<?> inContainer(Path config, List<String> command) {
        GenericContainer<?> container = new GenericContainer<>("redis:7").withNetworkMode("host")
                .withCopyFileToContainer(MountableFile.forHostPath(config, 0666), config.toString())
                .withCommand(command.toArray(String[]::new));
        container.start();
        return container;
    }

    int port() {
        return port;
    }

    /** Sends a command, and returns its answer as it came, of a text only the text. */
    String command(String line) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write((line + "\r\n").getBytes(UTF_8));
            var in = new DataInputStream(socket.getInputStream());
            var first = new StringBuilder();
            for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
                first.append((char) next);
            }
            String head = first.toString().strip();
            return head.startsWith("$") && !head.equals("$-1")
                    ? new String(in.readNBytes(Integer.parseInt(head.substring(1))), UTF_8) : head;
        }
    }

    /** Kills it. */
    @Override
    public void close() {
        try {
            server.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
