package io.sluice.loadtest.experiments.server;

import io.sluice.loadtest.experiments.process.ChildProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server, from the start of its process; ended when it is closed. */
public final class ColdServer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SILENCE_MILLIS = 2_000;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(2);
    private static final Duration STOPPING = Duration.ofSeconds(1);

    private final int port;
    private final int adminPort;
    private final long begun;
    private final Process process;

    private ColdServer(List<String> command, int port, int adminPort) throws IOException {
        this.port = port;
        this.adminPort = adminPort;
        var builder = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().keySet().removeIf(name -> name.startsWith("CONFIG_FORCE_"));
        begun = System.nanoTime();
        process = ChildProcesses.start(builder);
    }

    /** Starts the gateway with its demo, which has a database in the same process. */
    public static ColdServer gateway(GatewayJar jar, List<String> jvmOptions, Variant variant)
            throws IOException {
        int port = FreePort.next();
        int adminPort = FreePort.next();
        var words = new ArrayList<>(jvmOptions);
        words.addAll(List.of("-jar", jar.file().toString(), "serve", "-Dsluice.server.port=" + port,
                "-Dsluice.admin.port=" + adminPort, "-Dsluice.server.host=127.0.0.1"));
        variant.settings().forEach((key, value) -> words.add("-D" + key + "=" + value));
        return new ColdServer(JavaCommand.of(words.toArray(String[]::new)), port, adminPort);
    }

    /** Starts {@link BareServer}. */
    public static ColdServer bare() throws IOException {
        int port = FreePort.next();
        var command = new ArrayList<>(BareServer.command(BareServer.Kind.HTTP));
        command.add(Integer.toString(port));
        return new ColdServer(command, port, 0);
    }

    /** The port that the server will serve. */
    public int port() {
        return port;
    }

    /** Blocks until a path is answered with 200; returns the time since the start of the process. */
    public Duration answers(String path) throws InterruptedException {
        return await(port, path);
    }

    /** Blocks until the server is ready; returns the time since the start of the process. */
    public Duration isReady() throws InterruptedException {
        return await(adminPort, "/readyz");
    }

    private Duration await(int at, String path) throws InterruptedException {
        byte[] request = "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".formatted(path)
                .getBytes(StandardCharsets.US_ASCII);
        while (process.isAlive() && System.nanoTime() - begun < PATIENCE.toNanos()) {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), at)) {
                socket.setSoTimeout(SILENCE_MILLIS);
                socket.getOutputStream().write(request);
                var answer = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
                if (answer.equals("HTTP/1.1 200")) {
                    return Duration.ofNanos(System.nanoTime() - begun);
                }
            } catch (IOException _) {
                // not yet
            }
            TimeUnit.NANOSECONDS.sleep(BETWEEN_TRIES.toNanos()); // a starting process has to be polled
        }
        throw new UncheckedIOException(new IOException("%s: no 200".formatted(path)));
    }

    /** Stops the process, and kills it if it has not ended within a second. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOPPING)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        ChildProcesses.ended(process);
    }
}
