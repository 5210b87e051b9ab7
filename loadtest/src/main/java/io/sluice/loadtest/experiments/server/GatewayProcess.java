package io.sluice.loadtest.experiments.server;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A gateway that serves a port of its own choice, as a child of this process; gone when it is closed. */
public final class GatewayProcess implements AutoCloseable {

    private static final Duration STARTING = Duration.ofSeconds(60);
    /** Nothing that it could still do is of interest. */
    private static final Duration STOPPING = Duration.ofSeconds(1);
    private static final Duration DYING = Duration.ofSeconds(5);

    private final Process process;
    private final GatewayOutput output;
    private int port;

    private GatewayProcess(Process process) {
        this.process = process;
        output = GatewayOutput.of(process.getInputStream());
    }

    /**
     * Starts one; returns when it serves.
     *
     * @throws IllegalStateException where it does not, with what it printed last
     */
    public static GatewayProcess start(GatewayJar jar, ConfigFile config, Variant variant)
            throws IOException, InterruptedException {
        var builder = new ProcessBuilder(jar.serve(config.file(), variant)).redirectErrorStream(true);
        // Keys from the environment would change every variant.
        builder.environment().keySet().removeIf(name -> name.startsWith("CONFIG_FORCE_"));
        var gateway = new GatewayProcess(ChildProcesses.start(builder));
        try {
            gateway.port = gateway.output.port().get(STARTING.toSeconds(), TimeUnit.SECONDS);
            return gateway;
        } catch (TimeoutException | ExecutionException _) {
            gateway.close();
            throw new IllegalStateException("the gateway does not serve (%s); it printed:%n%s"
                    .formatted(variant.name(), gateway.output.lastLines()));
        } catch (InterruptedException e) {
            gateway.close();
            throw e;
        }
    }

    /** The port on 127.0.0.1 that it serves. */
    public int port() {
        return port;
    }

    /** The processor time that it has used so far, all its threads together. */
    public Duration processorTime() {
        return process.info().totalCpuDuration()
                .orElseThrow(() -> new IllegalStateException("the gateway has ended: " + output.lastLines()));
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
