package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.plugin.PluginJar;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line as a process of its own, with its exit codes. */
class MainIT {
    private static final Pattern ADDRESS = Pattern.compile("http://localhost:(\\d+)/");

    @TempDir
    private Path folder;

    private record Ended(int code, String output) {
    }

    @Test
    void printsEveryMistakeInAConfigurationAndExitsWith2() throws Exception {
        Path config = Files.writeString(folder.resolve("wrong.conf"), """
                sluice.server.port = 80800
                sluice.routes.a {
                  path = "a"
                  handler = txt
                }
                """);

        Ended ended = run("serve", "--config", config.toString());

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.output().lines()).containsExactly(
                config + ":1: sluice.server.port: 80800 (expected: 0..65535)",
                config + ":3: sluice.routes.a.path: a (expected: a path that begins with /, such as "
                        + "/orders/{id})",
                config + ":4: sluice.routes.a.handler: txt (expected: one of cpu, delay, echo, events, "
                        + "files, index, json, openapi, presence, proxy, publish, query, text, ws-code, "
                        + "ws-echo, ws-rpc, ws-topic; did you mean text?)");
    }

    @Test
    void takesPluginsFromTheDirectoryInTheEnvironment() throws Exception {
        Path config = Files.writeString(folder.resolve("dns.conf"), """
                sluice.offload.pools.dns { workers = 2 }
                sluice.routes.dns { path = "/dns/{host}", handler = dns-lookup, pool = dns }
                sluice.route-defaults.served-by.site = eu-1
                """);
        PluginJar.ofSample(folder.resolve("sample.jar"));

        Ended checked = run(Map.of("SLUICE_PLUGINS", folder.toString()), "check", "--config",
                config.toString());
        assertThat(checked.output()).contains("/dns/{host}", "dns-lookup", "plug-in");
        assertThat(checked.code()).isZero();

        new JarOutputStream(Files.newOutputStream(folder.resolve("empty.jar")), new Manifest()).close();
        Ended refused = run(Map.of("SLUICE_PLUGINS", folder.toString()), "serve");
        assertThat(refused.output()).startsWith(folder.resolve("empty.jar") + ": no plug-in in it");
        assertThat(refused.code()).isEqualTo(2);
    }

    @Test
    void saysInOneLineThatItsPortIsTaken() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"))) {
            Ended ended = run("serve", "-Dsluice.admin.port=0",
                    "-Dsluice.server.port=" + taken.getLocalPort());

            assertThat(ended.code()).isEqualTo(1);
            assertThat(ended.output().lines()).singleElement().asString()
                    .contains("sluice.server", Integer.toString(taken.getLocalPort()), "in use");
        }
    }

    /** The command that runs in the JVM which writes an AOT cache. */
    @Test
    void trainsUntilItIsWarmAndEnds() throws Exception {
        Ended ended = run("train");

        assertThat(ended.code()).isZero();
        assertThat(ended.output()).containsPattern("warmed up in \\d+ ms with \\d{3,} requests");
    }

    /** The JVM runs all shutdown hooks at once, that of H2 as well, which closes files. */
    @Test
    void sigtermCompletesRequestsInFlightAndExitsWith0() throws Exception {
        Path script = Files.writeString(folder.resolve("sleep.sql"),
                "CREATE ALIAS IF NOT EXISTS SLEEP FOR \"java.lang.Thread.sleep(long)\""); // a query in flight
        Path config = Files.writeString(folder.resolve("file.conf"), """
                sluice.offload.pools.main { workers = 1 }
                sluice.databases.file { url = "jdbc:h2:%s", user = sa, pool = main, init-script = "%s" }
                sluice.routes {
                  hello { path = /hello, handler = text, text = "Hello, World!" }
                  rows { path = /rows, handler = query, database = file, sql = "SELECT SLEEP(1500) AS slept" }
                }
                """.formatted(folder.resolve("data"), script));
        Process process = start(Map.of(), "serve", "--config", config.toString(),
                "-Dsluice.server.port=0", "-Dsluice.admin.port=0", "-Dsluice.lifecycle.warm-up=0s");
        try (var out = process.inputReader()) {
            Matcher address = ADDRESS.matcher("");
            while (!address.reset(out.readLine()).find()) {
                // a line about the limit of open files may come first
            }
            try (var pipelining = new RawClient(Integer.parseInt(address.group(1)))) {
                pipelining.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"
                        + "GET /rows HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(pipelining.read().body()).isEqualTo("Hello, World!"); // both have arrived

                process.destroy();

                assertThat(pipelining.read().status()).isEqualTo(200);
            }
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Routes without a database are served while its script runs. */
    @Test
    void drainsOnSigtermDuringTheStart() throws Exception {
        int port = RunningGateway.freePort();
        // The script sleeps, so that the start is still running it when SIGTERM comes.
        Path script = Files.writeString(folder.resolve("slow.sql"),
                "CREATE ALIAS SLEEP FOR \"java.lang.Thread.sleep(long)\"; CALL SLEEP(40000)"); // in H2
        Path config = Files.writeString(folder.resolve("slow.conf"), """
                sluice.server.port = %d
                sluice.admin.port = 0
                sluice.offload.pools.main { workers = 1 }
                sluice.databases.slow { url = "jdbc:h2:mem:slow", user = sa, password = "", pool = main
                  init-script = "%s" }
                sluice.routes.wait { path = /wait, handler = delay, duration = 3s }
                """.formatted(port, script));
        Process process = start(Map.of(), "serve", "--config", config.toString());
        try (HttpClient client = HttpClient.newHttpClient()) {
            String address = "http://127.0.0.1:" + port + '/';
            await().ignoreExceptions().atMost(30, TimeUnit.SECONDS).until(() -> client.send(request(address),
                    HttpResponse.BodyHandlers.ofString()).statusCode() == 404);
            try (var pipelining = new RawClient(port)) {
                pipelining.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(pipelining.read().status()).isEqualTo(404); // both have arrived

                process.destroy();

                assertThat(pipelining.read().status()).isEqualTo(200);
            }
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    /** The self-test of the programs blocks the start. */
    @Test
    void exitsWith0OnSigtermBeforeItServes() throws Exception {
        Path begun = folder.resolve("begun");
        Path python = Files.writeString(folder.resolve("python"), "#!/bin/sh\ntouch %s\nexec sleep 20\n"
                .formatted(begun));
        assertThat(python.toFile().setExecutable(true)).isTrue();
        Path config = Files.writeString(folder.resolve("self-test.conf"), """
                sluice.offload.pools.main { workers = 1 }
                sluice.routes.code { path = /code, handler = ws-code, pool = main
                  program { python = "%s", sandbox = none, warm = 0 } }
                """.formatted(python));
        Process process = start(Map.of(), "serve", "--config", config.toString());
        try {
            await().atMost(30, TimeUnit.SECONDS).until(() -> Files.exists(begun));

            process.destroy();

            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    private static HttpRequest request(String address) {
        return HttpRequest.newBuilder(URI.create(address)).build();
    }

    private static Ended run(String... args) throws IOException, InterruptedException {
        return run(Map.of(), args);
    }

    private static Ended run(Map<String, String> environment, String... args)
            throws IOException, InterruptedException {
        Process process = start(environment, args);
        String output = new String(process.getInputStream().readAllBytes());
        return new Ended(process.waitFor(), output);
    }

    private static Process start(Map<String, String> environment, String... args) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", // most of these processes end within a second
                "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow",
                "-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(args));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return builder.start();
    }
}
