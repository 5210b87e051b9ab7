package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.Future;
import io.sluice.config.read.ConfigLoader;
import io.sluice.config.read.ConfigSource;
import io.sluice.gateway.plugin.PluginJars;
import io.sluice.handlers.upstream.Upstream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** A gateway on free ports, with an HTTP client. */
public final class RunningGateway implements AutoCloseable {
    private static final String FIRST_LINE =
            "sluice.lifecycle { warm-up = 0s, drain-timeout = 3s, idle-grace = 100ms }, "
            // On a busy machine a login, or the SETTINGS of an endpoint, may take seconds.
            + "sluice.database-defaults.connection-timeout = 20s, "
            + "sluice.upstream-defaults.connect-timeout = 20s, "
            + "sluice.server.transport = "
            + HandlerServer.withTransport(Map.of()).get("sluice.server.transport") + '\n';

    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(10_000, 19_000));

    private final Gateway gateway;
    private final Path file;
    private final LoopBudget budget;
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private RunningGateway(Gateway gateway, Path file) {
        this.gateway = gateway;
        this.file = file;
        budget = LoopBudget.of(gateway.workers());
    }

    /**
     * Returns a free port, another one each time, outside the range from which the kernel gives ports to
     * connections.
     */
    public static int freePort() throws IOException {
        while (true) {
            int port = NEXT_PORT.getAndIncrement();
            try (var _ = new ServerSocket(port)) {
                return port;
            } catch (BindException e) {
                // taken: another one
            }
        }
    }

    /** Starts a gateway on free ports. The configuration is HOCON, on top of the defaults. */
    public static RunningGateway start(String config) {
        return start(config, PluginJars.NONE);
    }

    /** Starts a gateway with handlers and filters from plug-in jars. */
    public static RunningGateway start(String config, PluginJars plugins) {
        return start(Map.of("sluice.server.port", "0", "sluice.admin.port", "0",
                "sluice.server.host", "127.0.0.1", "sluice.tls.host", "127.0.0.1", "sluice.tls.port", "0"),
                config, plugins, () -> { });
    }

    /** Starts a gateway whose configuration sets the port for clients. */
    public static RunningGateway startAtPorts(String config) {
        return start(Map.of("sluice.admin.port", "0", "sluice.server.host", "127.0.0.1"), config,
                PluginJars.NONE, () -> { });
    }

    /** Starts a gateway whose configuration sets all ports and hosts. */
    static RunningGateway startAtItsPorts(String config) {
        return start(Map.of(), config, PluginJars.NONE, () -> { });
    }

    /** Starts a gateway whose configuration sets the admin port. */
    static RunningGateway startAtAdminPort(String config) {
        return start(Map.of("sluice.server.port", "0", "sluice.server.host", "127.0.0.1"), config,
                PluginJars.NONE, () -> { });
    }

    /** Starts a gateway that runs an action before it reads its configuration. */
    static RunningGateway start(String config, Runnable beforeReading) {
        return start(Map.of("sluice.server.port", "0", "sluice.admin.port", "0"), config, PluginJars.NONE,
                beforeReading);
    }

    private static RunningGateway start(Map<String, String> ports, String config, PluginJars plugins,
                                        Runnable beforeReading) {
        try {
            Path file = Files.createTempFile("gateway", ".conf");
            try {
                Files.writeString(file, FIRST_LINE + config);
                ConfigSource source = () -> {
                    beforeReading.run();
                    return new ConfigLoader(ports, plugins.records()).load(file);
                };
                return new RunningGateway(Gateway.start(source.load(), source, plugins, _ -> { }), file);
            } catch (Throwable e) {
                Files.delete(file);
                throw e;
            }
        } catch (IOException | StartException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reloads another configuration, in HOCON as for {@link #start}; returns the report of changes. */
    public Map<String, Object> reload(String config) throws Exception {
        Files.writeString(file, FIRST_LINE + config);
        return gateway.reload().sync().getNow();
    }

    /** Begins to reload the file. */
    Future<?> beginReload() {
        return gateway.reload();
    }

    /** Writes another configuration to the file; returns what the command {@code check} prints about it. */
    public String check(String config) throws IOException {
        Files.writeString(file, FIRST_LINE + config);
        var out = new StringWriter();
        int code = Commands.line().setOut(new PrintWriter(out)).execute("check", "--config", file.toString(),
                "--against", "http://127.0.0.1:" + adminPort());
        assertThat(code).isZero();
        return out.toString();
    }

    /** Has the databases prepare the statements; returns what the command {@code check} prints. */
    public String checkStatements() {
        var out = new StringWriter();
        Commands.line().setOut(new PrintWriter(out)).setErr(new PrintWriter(out))
                .execute("check", "--config", file.toString(), "--database");
        return out.toString();
    }

    /** Returns the current site. */
    Site site() {
        return gateway.current();
    }

    /** Returns an upstream of the current site. */
    public Upstream upstream(String name) {
        return site().resources().upstreams().get(name).upstream();
    }

    /** Returns the configuration file. */
    public Path file() {
        return file;
    }

    /** Starts the demo. */
    public static RunningGateway demo() {
        return start("include classpath(\"demo.conf\")");
    }

    public int port() {
        return gateway.port();
    }

    /** Returns the TLS port, which is open if the configuration has a certificate. */
    public int tlsPort() {
        return gateway.tlsPort().orElseThrow();
    }

    public int adminPort() {
        return gateway.adminPort();
    }

    /** Connects a client that sends any bytes. */
    public RawClient connect() throws IOException {
        return new RawClient(port());
    }

    public HttpResponse<String> get(String target) throws IOException, InterruptedException {
        return send(request(target).GET());
    }

    public HttpResponse<String> getAdmin(String target) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort() + target)));
    }

    public HttpResponse<String> postAdmin(String target) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort() + target))
                .POST(HttpRequest.BodyPublishers.noBody()));
    }

    public HttpResponse<String> post(String target, String body) throws IOException, InterruptedException {
        return send(request(target).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    public HttpRequest.Builder request(String target) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + target))
                .timeout(Duration.ofSeconds(60));
    }

    public HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    public HttpClient client() {
        return client;
    }

    /** Returns the budget of CPU time for tasks of the event loops that serve clients. */
    public LoopBudget loopBudget() {
        return budget;
    }

    /** Drains and stops the gateway, as SIGTERM does. */
    public void stop() {
        gateway.close();
    }

    @Override
    public void close() {
        client.shutdownNow(); // close() would wait for WebSockets that a failed test has left open
        budget.close();
        gateway.close();
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
