package io.sluice.loadtest.experiments.server;

import io.sluice.loadtest.experiments.process.AllocatedBytes;
import io.sluice.loadtest.experiments.process.ChildProcesses;
import io.sluice.loadtest.experiments.process.DiagnosticCommand;
import io.sluice.loadtest.experiments.process.FollowedFile;
import io.sluice.loadtest.experiments.process.ProcessUsage;
import io.sluice.loadtest.experiments.process.ResourceLimits;
import io.sluice.loadtest.experiments.server.ServerOutput.Ports;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A server on a free port, as a child of this process; ended when it is closed. */
public final class ServerProcess implements AutoCloseable {

    private static final Duration STARTING = Duration.ofMinutes(3);
    /** Short, as work that is still running is of no interest. */
    private static final Duration STOPPING = Duration.ofSeconds(1);
    private static final Duration DYING = Duration.ofSeconds(5);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(10);

    private final Process process;
    private final ServerOutput output;
    private final ProcessUsage usage;
    private final boolean isJvm;
    @SuppressWarnings("NullAway.Init") // set by start(), before it returns
    private Ports ports;

    private ServerProcess(Process process, ServerOutput output, boolean isJvm) {
        this.process = process;
        this.output = output;
        usage = new ProcessUsage(process.toHandle());
        this.isJvm = isJvm;
    }

    /**
     * Starts the gateway within limits; blocks until it serves.
     *
     * @throws IllegalStateException where it does not, with what it printed last
     */
    public static ServerProcess start(GatewayJar jar, ConfigFile config, Variant variant,
            Confinement confinement) throws IOException, InterruptedException {
        return start("the gateway", variant, jar.serve(config.file(), variant), confinement);
    }

    /**
     * Starts {@link BareServer}; blocks until it serves.
     *
     * @throws IllegalStateException where it does not, with what it printed last
     */
    public static ServerProcess startBare(Variant variant, BareServer.Kind kind)
            throws IOException, InterruptedException {
        return start("the bare server", variant, BareServer.command(kind), Confinement.NONE);
    }

    /**
     * Starts {@link JdbcServer}; blocks until it serves.
     *
     * @param url of a {@link RowDatabase}; without one, its queries sleep
     * @throws IllegalStateException where it does not, with what it printed last
     */
    public static ServerProcess startJdbc(Variant variant, JdbcServer.Threads threads, Optional<String> url)
            throws IOException, InterruptedException {
        return start("the JDBC server", variant, JdbcServer.command(threads, url), Confinement.NONE);
    }

    /**
     * Starts {@link TomcatServer}; blocks until it serves.
     *
     * @param url of a {@link RowDatabase}; without one, it has the benchmark endpoints
     * @throws IllegalStateException where it does not, with what it printed last
     */
    public static ServerProcess startTomcat(Variant variant, TomcatServer.Threads threads,
            Optional<String> url) throws IOException, InterruptedException {
        return start("Tomcat", variant, TomcatServer.command(threads, url), Confinement.NONE);
    }

    /**
     * Starts {@link OriginServer}; blocks until it serves.
     *
     * @throws IllegalStateException where it does not, with what it printed last
     */
    public static ServerProcess startOrigin() throws IOException, InterruptedException {
        return startOrigin(OriginServer.WORKERS, OriginServer.WORK);
    }

    /** The same with other workers. */
    public static ServerProcess startOrigin(int workers, Duration work)
            throws IOException, InterruptedException {
        return start("the origin", new Variant("bare Netty", Map.of()),
                OriginServer.command(workers, work), Confinement.NONE);
    }

    /**
     * Starts {@link BareProxy} or {@link ReactorProxy}; blocks until it serves.
     *
     * @throws IllegalStateException where it does not, with what it printed last
     */
    public static ServerProcess startProxy(Variant variant, List<String> command)
            throws IOException, InterruptedException {
        return start(variant.name(), variant, command, Confinement.NONE);
    }

    /**
     * Starts a proxy that is installed on this machine; blocks until its port accepts connections.
     *
     * @param tls for clients; without it, they speak plain HTTP
     * @param folder for its files
     * @throws IllegalStateException where it does not, with what it printed last
     */
    public static ServerProcess startInstalled(Variant variant, InstalledProxy proxy, int originPort,
            Optional<TlsFiles> tls, Path folder) throws IOException, InterruptedException {
        int port = FreePort.next();
        var command = proxy.command(port, originPort, tls, folder);
        var process = ChildProcesses.start(new ProcessBuilder(command).redirectErrorStream(true));
        var server = new ServerProcess(process, ServerOutput.of(process.getInputStream()), false);
        server.ports = new Ports(port, port, 0);
        try {
            server.awaitPort();
            return server;
        } catch (IllegalStateException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    private void awaitPort() throws InterruptedException {
        var end = System.nanoTime() + STARTING.toNanos();
        while (!FreePort.isServed(ports.port())) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                throw new IllegalStateException("%s does not serve; it printed:%n%s"
                        .formatted(process.info().command().orElse("the proxy"), output.lastLines()));
            }
            Thread.sleep(BETWEEN_TRIES);
        }
    }

    static ServerProcess start(String what, Variant variant, List<String> command,
            Confinement confinement) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(confinement.around(command)).redirectErrorStream(true);
        confinement.log().ifPresent(log -> builder.redirectOutput(Redirect.appendTo(log.toFile())));
        // Configuration keys from the environment would affect every variant.
        builder.environment().keySet().removeIf(name -> name.startsWith("CONFIG_FORCE_"));
        var process = ChildProcesses.start(builder);
        var output = ServerOutput.of(confinement.log().isEmpty() ? process.getInputStream()
                : new FollowedFile(confinement.log().get(), process));
        var server = new ServerProcess(process, output, true);
        try {
            server.ports = output.ports().get(STARTING.toSeconds(), TimeUnit.SECONDS);
            return server;
        } catch (TimeoutException | ExecutionException _) {
            server.close();
            throw new IllegalStateException("%s does not serve (%s); it printed:%n%s"
                    .formatted(what, variant.name(), server.output.lastLines()));
        } catch (InterruptedException e) {
            server.close();
            throw e;
        }
    }

    /** The port on 127.0.0.1 that it serves: with TLS, if it has such a port. */
    public int port() {
        return ports.port();
    }

    /** The port without TLS. */
    public int plainPort() {
        return ports.plain();
    }

    /** The metrics of the gateway's admin port; blocks. */
    public AdminMetrics metrics() throws IOException, InterruptedException {
        return AdminMetrics.at(ports.admin());
    }

    long pid() {
        return process.pid();
    }

    /** Returns whether it still runs. */
    public boolean alive() {
        return process.isAlive();
    }

    /** The state of the process: {@code lives}, or how it ended. */
    public String state() {
        return process.isAlive() ? "lives" : "exit " + process.exitValue();
    }

    /** Stops the process (SIGTERM); does not wait for its end. */
    public void terminate() {
        process.destroy();
    }

    /** Kills the process (SIGKILL). */
    public void kill() {
        process.destroyForcibly();
    }

    /**
     * Sets the soft limit of a resource as {@code prlimit} does: {@code nofile}, or {@code fsize} in bytes.
     *
     * @param value a number, or {@code unlimited}
     */
    public void limit(String resource, String value) throws IOException, InterruptedException {
        new ResourceLimits(process.pid()).set(resource, value);
    }

    /** The CPU time of all threads of the process and its children so far. */
    public Duration processorTime() {
        return usage.processorTime()
                .orElseThrow(() -> new IllegalStateException("the server %s; it printed:%n%s".formatted(
                        process.isAlive() ? "does not tell" : "has ended with " + process.exitValue(),
                        output.lastLines())));
    }

    /** The CPU time of the threads that compile, as long as they live; 0 for a server that is no JVM. */
    public Duration compilerTime() throws IOException {
        return usage.compilerTime();
    }

    /**
     * The memory of the process and its children in bytes, as the kernel counts it (RSS): heap, buffers, code
     * and all.
     *
     * @throws IOException if there is no {@code /proc}, or the process has ended
     */
    public long residentBytes() throws IOException {
        return usage.residentBytes();
    }

    /** The most that {@link #residentBytes} has been since {@link #forgetPeak}, without children. */
    public long peakResidentBytes() throws IOException {
        return usage.peakResidentBytes();
    }

    /** Resets {@link #peakResidentBytes}. */
    public void forgetPeak() throws IOException {
        usage.forgetPeak();
    }

    /** The threads of the process as the kernel counts them, which excludes virtual ones. */
    public long threads() throws IOException {
        return usage.threads();
    }

    /** The open descriptors of the process and its children: files, sockets and all. */
    public long openDescriptors() throws IOException {
        return usage.openDescriptors();
    }

    /**
     * Makes the process run a full garbage collection and release memory, with the JDK's {@code jcmd}; has no
     * effect on a process that is no JVM.
     *
     * @return false if there is no {@code jcmd}, as in a JVM without development tools
     */
    public boolean collectGarbage() throws IOException, InterruptedException {
        return !isJvm || new DiagnosticCommand(process.pid()).run("GC.run").isPresent();
    }

    /**
     * The bytes that its threads have allocated on the heap so far.
     *
     * @return NaN if there is no {@code jcmd}
     */
    public double allocatedBytes() throws IOException, InterruptedException {
        return new DiagnosticCommand(process.pid()).run("Thread.print", "-e")
                .map(AllocatedBytes::in)
                .orElse(Double.NaN);
    }

    /** Stops the process, and kills it if it has not ended within a second. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOPPING)) {
                process.destroyForcibly().waitFor(DYING);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        ChildProcesses.ended(process);
    }
}
