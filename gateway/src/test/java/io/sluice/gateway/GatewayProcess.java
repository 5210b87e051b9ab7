package io.sluice.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A gateway as a process of its own, with JVM options and a limit of open files as the test needs. */
public final class GatewayProcess implements AutoCloseable {
    private static final Pattern TASKS = Pattern.compile(
            "sluice_event_loop_task_seconds_(count|bucket)\\{loop=\"[0-9]+\"(,le=\"0\\.01\")?} ([0-9.E]+)");
    private static final Pattern PORT = Pattern.compile("http://localhost:(\\d+)/");

    private static final int SCRAPE_MILLIS = 5000;
    private static final int MAX_LONG_TASKS = 20;

    private final Process process;
    private final Queue<String> output = new ConcurrentLinkedQueue<>();
    private final int port;
    private final int adminPort;

    private GatewayProcess(Process process) throws IOException {
        this.process = process;
        BufferedReader out = process.inputReader();
        Matcher ports = PORT.matcher(lineWithPorts(out));
        ports.find();
        port = Integer.parseInt(ports.group(1));
        ports.find();
        adminPort = Integer.parseInt(ports.group(1));
        Thread.ofVirtual().start(() -> out.lines().forEach(output::add));
    }

    /**
     * Starts a gateway on free ports, without warm-up, and returns when it serves. The configuration is
     * HOCON.
     */
    public static GatewayProcess start(String config, String... jvmOptions) {
        return start(List.of(), config, jvmOptions);
    }

    /** Does the same as {@link #start} with a limit of open files. */
    public static GatewayProcess startWithFiles(int files, String config) {
        return start(List.of("prlimit", "--nofile=" + files), config);
    }

    private static GatewayProcess start(List<String> before, String config, String... jvmOptions) {
        var command = new ArrayList<String>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // The serial collector is the one of the image. C1 alone suffices for a short-lived JVM.
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
        command.addAll(List.of(jvmOptions));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), "serve"));
        try {
            Path file = Files.createTempFile("gateway", ".conf");
            try {
                Files.writeString(file, """
                        sluice.lifecycle.warm-up = 0s
                        sluice.database-defaults.connection-timeout = 20s
                        sluice.upstream-defaults.connect-timeout = 20s
                        """ + config);
                command.addAll(List.of("--config", file.toString(),
                        "-Dsluice.server.port=0", "-Dsluice.admin.port=0"));
                HandlerServer.withTransport(Map.of()).forEach((key, kind) ->
                        command.add("-D" + key + '=' + kind));
                return new GatewayProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String lineWithPorts(BufferedReader out) throws IOException {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            output.add(line);
            if (PORT.matcher(line).find()) {
                return line;
            }
        }
        throw new IllegalStateException("the gateway did not start: " + output);
    }

    public int port() {
        return port;
    }

    public int adminPort() {
        return adminPort;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the process, for tests that measure its resources. */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Returns the output of the process so far. */
    public String output() {
        return String.join("\n", output);
    }

    /** Returns how many tasks of its event loops have taken more than 10 ms of CPU time so far. */
    private long longTasks() throws IOException {
        try (var client = new RawClient(adminPort)) {
            client.socket().setSoTimeout(SCRAPE_MILLIS);
            String metrics = client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").read().body();
            return Math.round(TASKS.matcher(metrics).results().filter(line ->
                    line.group(1).equals("count") != (line.group(2) != null)).mapToDouble(line ->
                    Double.parseDouble(line.group(3)) * (line.group(2) == null ? 1 : -1)).sum());
        }
    }

    /** Fails if tests have caused long tasks by the dozen; a few load classes, or are disturbed. */
    private void requireFewLongTasks() {
        long count;
        try {
            count = longTasks();
        } catch (IOException _) {
            return; // It is not alive, or has no file left.
        }
        System.out.printf("Tasks of the event loops of a process that took more than 10 ms: %d%n", count);
        if (count > MAX_LONG_TASKS) {
            throw new AssertionError("%d tasks of event loops took more than 10 ms of CPU time (expected: at "
                    + "most %d, for the loading of classes)".formatted(count, MAX_LONG_TASKS));
        }
    }

    @Override
    public void close() {
        try {
            requireFewLongTasks();
        } finally {
            destroy();
        }
    }

    private void destroy() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
