package io.sluice.loadtest.experiments.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.regex.Pattern;

/** Reads the output of a server to its end: its ports, and the last lines for error messages. */
final class ServerOutput {

    private static final Pattern SERVES = Pattern.compile(
            "serves http://localhost:(\\d+)/(?: and https://localhost:(\\d+)/)?"
                    + "(?:.*admin port: http://localhost:(\\d+)/)?");
    private static final int LAST_LINES = 20;

    private final CompletableFuture<Ports> ports = new CompletableFuture<>();
    private final ArrayDeque<String> lines = new ArrayDeque<>();

    /**
     * The ports of a server.
     *
     * @param port for clients: with TLS, if it has such a port
     * @param plain without TLS
     * @param admin 0 if it has none
     */
    record Ports(int port, int plain, int admin) {}

    /** Reads a stream on a separate thread until it ends. */
    static ServerOutput of(InputStream stream) {
        var output = new ServerOutput();
        Thread.ofPlatform().daemon().name("server-output").start(() -> output.read(stream));
        return output;
    }

    private void read(InputStream stream) {
        try (var reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line; (line = reader.readLine()) != null;) {
                take(line);
            }
        } catch (IOException e) {
            take(e.toString());
        }
        ports.completeExceptionally(new IllegalStateException("it ended"));
    }

    private void take(String line) {
        synchronized (lines) {
            lines.add(line);
            if (lines.size() > LAST_LINES) {
                lines.poll();
            }
        }
        var serves = SERVES.matcher(line);
        if (serves.find()) {
            var port = serves.group(2) == null ? serves.group(1) : serves.group(2);
            int admin = serves.group(3) == null ? 0 : Integer.parseInt(serves.group(3));
            ports.complete(new Ports(Integer.parseInt(port), Integer.parseInt(serves.group(1)), admin));
        }
    }

    /** The ports of the server; fails if the output ends before they are printed. */
    Future<Ports> ports() {
        return ports;
    }

    String lastLines() {
        synchronized (lines) {
            return String.join("\n", lines);
        }
    }
}
