package io.sluice.loadtest.experiments.server;

import io.sluice.loadtest.experiments.server.ServerOutput.Ports;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A server on a port of its own choice, as a child of this process; gone when it is closed. */
public final class ServerProcess implements AutoCloseable {

    private static final long KIB = 1_024;
    private static final Duration STARTING = Duration.ofSeconds(60);
    /** Nothing that it could still do is of interest. */
    private static final Duration STOPPING = Duration.ofSeconds(1);
    private static final Duration DYING = Duration.ofSeconds(5);

    private final Process process;
    private final ServerOutput output;
    private Ports ports;

    private ServerProcess(Process process, ServerOutput output) {
        this.process = process;
        this.output = output;
    }

    /**
     * Starts the gateway; returns when it serves.
     *
     * @throws IllegalStateException where it does not, with what it printed last
     */
    public static ServerProcess start(GatewayJar jar, ConfigFile config, Variant variant)
            throws IOException, InterruptedException {
        return start(jar, config, variant, Confinement.NONE);
    }

    /**
     * Starts the gateway within limits; returns when it serves.
     *
     * @throws IllegalStateException where it does not, with what it printed last
     */
    public static ServerProcess start(GatewayJar jar, ConfigFile config, Variant variant,
            Confinement confinement) throws IOException, InterruptedException {
        return start("the gateway", variant, jar.serve(config.file(), variant), confinement);
    }

    /**
     * Starts {@link BareServer}; returns when it serves.
     *
     * @throws IllegalStateException where it does not, with what it printed last
     */
    public static ServerProcess startBare(Variant variant, BareServer.Kind kind)
            throws IOException, InterruptedException {
        return start("the bare server", variant, BareServer.command(kind), Confinement.NONE);
    }

    /**
     * Starts {@link JdbcServer}; returns when it serves.
     *
     * @param url of a {@link RowDatabase}; without one, its queries sleep
     * @throws IllegalStateException where it does not, with what it printed last
     */
    public static ServerProcess startJdbc(Variant variant, JdbcServer.Threads threads, Optional<String> url)
            throws IOException, InterruptedException {
        return start("the JDBC server", variant, JdbcServer.command(threads, url), Confinement.NONE);
    }

    /**
     * Starts {@link TomcatServer}; returns when it serves.
     *
     * @throws IllegalStateException where it does not, with what it printed last
     */
    public static ServerProcess startTomcat(Variant variant, TomcatServer.Threads threads)
            throws IOException, InterruptedException {
        return start("Tomcat", variant, TomcatServer.command(threads), Confinement.NONE);
    }

    private static ServerProcess start(String what, Variant variant, List<String> command,
            Confinement confinement) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(confinement.around(command)).redirectErrorStream(true);
        confinement.log().ifPresent(log -> builder.redirectOutput(Redirect.appendTo(log.toFile())));
        // Keys from the environment would change every variant.
        builder.environment().keySet().removeIf(name -> name.startsWith("CONFIG_FORCE_"));
        var process = ChildProcesses.start(builder);
        var output = ServerOutput.of(confinement.log().isEmpty() ? process.getInputStream()
                : new FollowedFile(confinement.log().get(), process));
        var server = new ServerProcess(process, output);
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

    /** The port on 127.0.0.1 that it serves. */
    public int port() {
        return ports.port();
    }

    /** What the gateway says of itself at its admin port; blocks until it has answered. */
    public AdminMetrics metrics() throws IOException, InterruptedException {
        return AdminMetrics.at(ports.admin());
    }

    long pid() {
        return process.pid();
    }

    /** Whether it still runs. */
    public boolean alive() {
        return process.isAlive();
    }

    /** {@code lives}, or how it ended. */
    public String state() {
        return process.isAlive() ? "lives" : "exit " + process.exitValue();
    }

    /** Asks it to stop (SIGTERM), and does not wait for that. */
    public void terminate() {
        process.destroy();
    }

    /** Ends it at once (SIGKILL). */
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

    /** The processor time that it has used so far, all its threads together. */
    public Duration processorTime() {
        return process.info().totalCpuDuration()
                .orElseThrow(() -> new IllegalStateException("the server %s; it printed:%n%s".formatted(
                        process.isAlive() ? "does not tell" : "has ended with " + process.exitValue(),
                        output.lastLines())));
    }

    /**
     * Its memory in bytes as the kernel counts it (RSS): heap, buffers, code and all.
     *
     * @throws IOException where there is no {@code /proc}, or no process any more
     */
    public long residentBytes() throws IOException {
        return status("VmRSS:") * KIB;
    }

    /** The most that {@link #residentBytes} has been since {@link #forgetPeak}. */
    public long peakResidentBytes() throws IOException {
        return status("VmHWM:") * KIB;
    }

    /** Its threads as the kernel counts them: virtual ones are none. */
    public long threads() throws IOException {
        return status("Threads:");
    }

    /** Its open descriptors: files, sockets and all. */
    public long openDescriptors() throws IOException {
        try (var descriptors = Files.list(proc("fd"))) {
            return descriptors.count();
        }
    }

    /** From now on {@link #peakResidentBytes} counts anew. */
    public void forgetPeak() throws IOException {
        Files.writeString(proc("clear_refs"), "5");
    }

    private long status(String what) throws IOException {
        var status = proc("status");
        try (var lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith(what))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow(() -> new IOException("%s: no %s".formatted(status, what)));
        }
    }

    private Path proc(String file) {
        return Path.of("/proc/%d/%s".formatted(process.pid(), file));
    }

    /**
     * Has it collect all its garbage, and give back what it can: asked with the JDK's {@code jcmd}.
     *
     * @return false where there is none, as in a JVM without development tools
     */
    public boolean collectGarbage() throws IOException, InterruptedException {
        return new DiagnosticCommand(process.pid()).run("GC.run").isPresent();
    }

    /**
     * What its threads have allocated on the heap so far, in bytes.
     *
     * @return NaN where there is no {@code jcmd} to ask
     */
    public double allocatedBytes() throws IOException, InterruptedException {
        return new DiagnosticCommand(process.pid()).run("Thread.print", "-e")
                .map(AllocatedBytes::in)
                .orElse(Double.NaN);
    }

    /** Asks it to stop, and ends it where it does not within a second. */
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
