package io.sluice.gateway.bus;

import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.config.topic.BusConfig;
import io.sluice.config.topic.BusUrl;
import io.sluice.config.upstream.UpstreamTlsConfig;
import io.sluice.gateway.Containers;
import io.sluice.handlers.bus.redis.RedisBus;
import io.sluice.handlers.topic.Bus;
import io.sluice.handlers.topic.BusObserver;
import io.sluice.handlers.topic.BusServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.MountableFile;

/**
 * A Redis for tests, reached through a relay that can be cut. It runs in a container, or as Debian's
 * redis-server. Without both the tests are skipped.
 */
final class RedisServer implements BusServer {
    /** The image of the container. */
    private static final String IMAGE = "redis:7";
    private static final int PORT = 6379;
    private static final int SECURE_PORT = 6380;
    private static final Path BINARY = Path.of("/usr/bin/redis-server");
    static final BusObserver NO_OBSERVER = new BusObserver() {
        @Override
        public void published(long nanos) {
            // not metered in these tests
        }

        @Override
        public void refused() {
            // not metered in these tests
        }

        @Override
        public void reconnected() {
            // not metered in these tests
        }
    };

    private final InetSocketAddress address;
    private final AutoCloseable server;
    private final Relay relay;
    private boolean cluster;

    private RedisServer(InetSocketAddress address, InetSocketAddress served, AutoCloseable server)
            throws IOException {
        this.address = address;
        this.server = server;
        relay = new Relay(served);
    }

    /** Starts a server that speaks TLS behind the relay. The certificate and its key are in PEM. */
    static RedisServer startSecure(Path certificate, Path key) throws IOException {
        try {
            return Containers.start(() -> inContainer(container -> container
                    .withCopyFileToContainer(MountableFile.forHostPath(certificate, 0644), "/tls.crt")
                    .withCopyFileToContainer(MountableFile.forHostPath(key, 0644), "/tls.key"),
                    SECURE_PORT, tls(SECURE_PORT, "/tls.crt", "/tls.key")));
        } catch (IllegalStateException e) {
            return Containers.skip(e.getMessage());
        }
    }

    private static String[] tls(int port, String certificate, String key) {
        return new String[] {"--tls-port", "" + port, "--tls-cert-file", certificate, "--tls-key-file", key,
            "--tls-auth-clients", "no"};
    }

    static RedisServer start(String... options) throws IOException {
        try {
            return Containers.start(() -> inContainer(_ -> { }, PORT, options));
        } catch (IllegalStateException e) {
            return Files.isExecutable(BINARY) ? asProcess(options)
                    : Containers.skip(e.getMessage() + "; nor is there " + BINARY);
        }
    }

    @SuppressWarnings("resource") // closed with the server
    private static RedisServer inContainer(Consumer<GenericContainer<?>> setUp, int served,
                                           String... options) {
        var command = new ArrayList<>(List.of("redis-server", "--save", "", "--appendonly", "no"));
        command.addAll(List.of(options));
        GenericContainer<?> container = new GenericContainer<>(IMAGE)
                .withCommand(command.toArray(String[]::new)).withExposedPorts(PORT, served);
        setUp.accept(container);
        container.start();
        try {
            return new RedisServer(new InetSocketAddress(container.getHost(), container.getMappedPort(PORT)),
                    new InetSocketAddress(container.getHost(), container.getMappedPort(served)), container);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RedisServer asProcess(String... options) throws IOException {
        int port;
        try (ServerSocket free = Relay.listener()) {
            port = free.getLocalPort();
        }
        Path directory = Files.createTempDirectory("redis-test");
        var command = new ArrayList<>(List.of(BINARY.toString(), "--port", "" + port, "--save", "",
                "--appendonly", "no", "--dir", directory.toString()));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        System.out.println("Redis for tests: " + BINARY + ", as Docker brings no container up");
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (true) {
            try (var _ = new Socket(address.getAddress(), port)) {
                return new RedisServer(address, address, process::destroyForcibly);
            } catch (IOException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }

    /** Starts a cluster of one node, which announces the relay's address. */
    static RedisServer startCluster() throws IOException {
        RedisServer node = start("--cluster-enabled", "yes");
        node.cluster = true;
        node.command("CONFIG SET cluster-announce-ip 127.0.0.1");
        node.command("CONFIG SET cluster-announce-port " + node.relay.port());
        node.command("CLUSTER ADDSLOTSRANGE 0 16383");
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() ->
                node.command("GET x").startsWith("$-1"));
        return node;
    }

    int relayPort() {
        return relay.port();
    }

    /** Returns the URL of the relay. */
    String url() {
        return "redis://127.0.0.1:" + relay.port();
    }

    @Override
    public Bus connect() {
        return connect(1000, Duration.ofSeconds(10));
    }

    Bus connect(int queueLimit, Duration publishTimeout) {
        return new RedisBus("test", new BusConfig(BusUrl.parse(url()), cluster, Optional.empty(),
                Optional.empty(), new UpstreamTlsConfig(Optional.empty(), Optional.empty(), Optional.empty(),
                        Optional.empty()),
                Duration.ofSeconds(5), publishTimeout, queueLimit, "sluice"), PooledByteBufAllocator.DEFAULT,
                NO_OBSERVER);
    }

    /** Sends a command to the server, and returns the first line of the reply. */
    String command(String line) throws IOException {
        try (var socket = new Socket(address.getAddress(), address.getPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
        }
    }

    @Override
    public void cut() throws IOException {
        command("CLIENT KILL TYPE pubsub");
        command("CLIENT KILL TYPE normal");
    }

    @Override
    public void stop() throws IOException {
        relay.stop();
    }

    @Override
    public void startEmpty() throws IOException {
        clear();
        relay.start();
    }

    @Override
    public Runnable rememberMembers(String topic) throws IOException {
        List<String> keys = Stream.of("gateways", "here", "names", "meta")
                .map(kind -> "sluice:presence-" + kind + ":{set:" + topic + "}").toList();
        for (String key : keys) {
            command("COPY " + key + " former-" + key + " REPLACE");
        }
        return () -> {
            try {
                for (String key : keys) {
                    command("RENAME former-" + key + " " + key);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    /** Deletes all data of the server, and its scripts. */
    void clear() throws IOException {
        command("FLUSHALL");
        command("SCRIPT FLUSH");
    }

    @Override
    public void close() {
        try {
            relay.close();
            server.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
