package io.sluice.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.Volume;
import io.sluice.gateway.RawClient.Answer;
import io.sluice.gateway.limits.StubbornClients;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;

/**
 * The container image with the demo, built before the test, with one processor, 256 MiB and a read-only root.
 */
class ImageIT {
    private static final String IMAGE = System.getenv("SLUICE_IMAGE");
    private static final long MEMORY = 256 << 20;
    private static final int UPLOADS = 16;
    private static final int READERS = 8;
    private static final int ROWS = 20;
    private static final int WIDE = 1_000_000;
    private static final int UPLOAD = 20 << 20;
    /** The size of a response with status 503. */
    private static final long REFUSED = -1;
    private static final String HELLO = get("/benchmark/hello");

    private GenericContainer<?> gateway;

    @BeforeEach
    void create() {
        if (IMAGE == null) {
            Containers.skip("no image was built; docker build -f deploy/Dockerfile -t sluice . && "
                    + "SLUICE_IMAGE=sluice mvn verify");
        }
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            Containers.skip("no Docker engine answers");
        }
        gateway = new GenericContainer<>(IMAGE)
                .withImagePullPolicy(_ -> false)
                .withExposedPorts(8080, 8081)
                .withEnv("CONFIG_FORCE_sluice_admin_host", "0.0.0.0")
                .withEnv("CONFIG_FORCE_sluice_database__defaults_connection__timeout", "20s")
                // Long timeouts keep the slow clients connected until a slow machine has served all of them.
                .withEnv("CONFIG_FORCE_sluice_server_timeouts_first__head", "10m")
                .withEnv("CONFIG_FORCE_sluice_server_timeouts_stall", "10m")
                .withEnv("CONFIG_FORCE_sluice_route__defaults_deadline", "10m")
                // Slow clients fill the memory of the gateway, not that of the kernel, which all tests share.
                .withEnv("CONFIG_FORCE_sluice_server_send__buffer", "16KiB")
                .withEnv("CONFIG_FORCE_sluice_server_receive__buffer", "16KiB")
                .withTmpFs(Map.of("/tmp", "exec"))
                .withCreateContainerCmdModifier(create -> create.getHostConfig()
                        .withNanoCPUs(1_000_000_000L).withMemory(MEMORY).withMemorySwap(MEMORY)
                        .withReadonlyRootfs(true).withCapDrop(Capability.ALL));
    }

    @AfterEach
    void stop() {
        if (gateway != null) {
            gateway.stop();
        }
    }

    @Test
    void survivesHostileClientsWithinItsMemoryLimit() throws Exception {
        startHealthy(gateway);
        assertAnswers();
        assertThat(metric("jvm_memory_max_bytes{area=\"heap\"")).as("a quarter of the memory, and no more")
                .isBetween(0.2 * MEMORY, 0.25 * MEMORY);
        assertThat(uploads()).containsOnly(200);

        try (var _ = clients(1500, "GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(14_000), 0);
                var _ = clients(200, get("/customers").repeat(100), 0);
                var unread = clients(600, post(40_000_000), 600_000)) {
            // Limits of memory refuse requests for five seconds in which clients go on sending: that of all
            // clients, or that of their one address.
            await().atMost(ofMinutes(3)).during(ofSeconds(5)).until(() -> {
                unread.sendMore();
                return gateway.getLogs().contains("\"status\":503");
            });
            assertThat(ask(8081, get("/livez")).status()).isEqualTo(200);
        }

        assertThat(gateway.getLogs()).doesNotContain("OutOfMemory", "OutOfDirectMemory", "Cannot reserve");
        await().atMost(ofMinutes(3)).ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(this::assertAnswers);
        assertThat(state().getRunning()).isTrue();
        assertThat(state().getOOMKilled()).isFalse();
    }

    @Test
    void dockerStopCompletesRequestsInFlightAndExitsWith0() throws Exception {
        // Clients that do not wait for the end of the warm-up end it.
        gateway.waitingFor(Wait.forHttp("/benchmark/hello").forPort(8080)).start();
        try (var client = new RawClient(gateway.getMappedPort(8080))) {
            client.send(HELLO + get("/benchmark/latency?ms=4000"));
            assertThat(client.read().body()).isEqualTo("Hello, World!");

            var stopped = CompletableFuture.runAsync(() -> gateway.getDockerClient()
                    .stopContainerCmd(gateway.getContainerId()).withTimeout(20).exec());

            Answer inFlight = client.read();
            assertThat(inFlight.status()).isEqualTo(200);
            assertThat(inFlight.header("Connection")).as("it was stopping by then").isEqualTo("close");
            stopped.get(30, TimeUnit.SECONDS);
        }
        assertThat(state().getExitCodeLong()).isZero();
        assertThat(state().getOOMKilled()).isFalse();
    }

    /** All responses together have more bytes than heap and direct memory. */
    @Test
    void answersRowsOfAMegabyteToManyAtOnce(@TempDir Path folder) throws Exception {
        try (Network network = Network.newNetwork();
                var postgres = PostgresServer.container().withNetwork(network)
                        .withNetworkAliases("postgres");
                GenericContainer<?> image = gateway) {
            postgres.start();
            Path config = Files.writeString(folder.resolve("sluice.conf"), """
                    sluice.databases.main {
                      url = "jdbc:postgresql://postgres:5432/%s", user = "%s", password = "%s", pool = main
                    }
                    sluice.offload.pools.main { deadline = 10m, client-grace = 10m, client-share = 100%% }
                    sluice.routes.wide {
                      path = "/wide", handler = query, database = main
                      sql = "SELECT g AS id, repeat('x', %d) AS data FROM generate_series(1, %d) g"
                    }
                    """.formatted(postgres.getDatabaseName(), postgres.getUsername(), postgres.getPassword(),
                    WIDE, ROWS));
            Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-r--r--"));
            var mount = new Bind(config.toString(), new Volume("/sluice.conf"), AccessMode.ro);
            startHealthy(image.withNetwork(network).withCommand("serve", "--config", "/sluice.conf")
                    // withFileSystemBind first tries to mount a file into an image that has to be pulled.
                    .withCreateContainerCmdModifier(create -> create.getHostConfig().withBinds(mount)));

            assertThat(readers()).allMatch(bytes -> bytes > (long) ROWS * WIDE);
            assertThat(image.getLogs()).doesNotContain("OutOfMemory", "OutOfDirectMemory", "Cannot reserve");
            assertThat(state().getRunning()).isTrue();
            assertThat(state().getOOMKilled()).isFalse();
        }
    }

    /**
     * Returns the sizes of responses with wide rows, which clients read at the same time. A gateway that is
     * short of memory for a moment may ask them to come again.
     */
    private List<Long> readers() {
        URI wide = URI.create("http://" + gateway.getHost() + ':' + gateway.getMappedPort(8080) + "/wide");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return IntStream.range(0, READERS)
                    .mapToObj(_ -> CompletableFuture.supplyAsync(() -> await().atMost(ofMinutes(3))
                            .until(() -> size(client, wide), bytes -> bytes != REFUSED), threads)).toList()
                    .stream().map(CompletableFuture::join).toList();
        }
    }

    private static long size(HttpClient client, URI uri) {
        try {
            HttpResponse<InputStream> response = client.send(HttpRequest.newBuilder(uri).build(),
                    HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                long bytes = body.transferTo(OutputStream.nullOutputStream());
                return response.statusCode() == 503 ? REFUSED : bytes;
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("a response was cut off", e);
        }
    }

    /**
     * Starts a container, and returns when it is healthy. Testcontainers' own wait for that asks without
     * pause.
     */
    private static void startHealthy(GenericContainer<?> container) {
        container.waitingFor(Wait.forLogMessage(".* serves http.*", 1)
                .withStartupTimeout(ofMinutes(8))).start();
        await().atMost(ofMinutes(8)).pollInterval(ofMillis(500)).until(container::isHealthy);
    }

    private void assertAnswers() throws IOException {
        assertThat(ask(8080, HELLO).body()).isEqualTo("Hello, World!");
        assertThat(ask(8080, get("/customers/7/orders")).body()).contains("\"status\":\"shipped\"");
    }

    /**
     * Returns the container's own address, if it is reachable. Docker's proxy would take megabytes of each
     * client into the kernel's memory.
     */
    private InetSocketAddress address() {
        String ip = gateway.getContainerInfo().getNetworkSettings().getNetworks().values().iterator().next()
                .getIpAddress();
        var own = new InetSocketAddress(ip, 8080);
        try (var socket = new Socket()) {
            socket.connect(own, 1000);
            return own;
        } catch (IOException _) { // the engine is on another machine, or in a virtual one
            return new InetSocketAddress(gateway.getHost(), gateway.getMappedPort(8080));
        }
    }

    private StubbornClients clients(int count, String head, int body) throws Exception {
        return new StubbornClients(address(), count,
                head.getBytes(ISO_8859_1), new byte[body]);
    }

    /** Returns the statuses of large concurrent uploads; 0 for an incomplete answer. */
    private List<Integer> uploads() {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return IntStream.range(0, UPLOADS)
                    .mapToObj(_ -> CompletableFuture.supplyAsync(() -> upload(threads), threads)).toList()
                    .stream().map(CompletableFuture::join).toList();
        }
    }

    private int upload(Executor threads) {
        try (var client = new RawClient(gateway.getMappedPort(8080))) {
            threads.execute(() -> {
                try {
                    client.send(post(UPLOAD)).send(new byte[UPLOAD]);
                } catch (IOException e) {
                    // the answer came before the upload had ended
                }
            });
            Answer answer = client.read();
            return answer.content().length == UPLOAD ? answer.status() : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    private Answer ask(int port, String request) throws IOException {
        try (var client = new RawClient(gateway.getMappedPort(port))) {
            return client.send(request).read();
        }
    }

    private static String post(int length) {
        return "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n";
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    private double metric(String beginning) throws IOException {
        return ask(8081, get("/metrics")).body().lines().filter(line -> line.startsWith(beginning))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ')))).sum();
    }

    private ContainerState state() {
        return gateway.getCurrentContainerInfo().getState();
    }
}
