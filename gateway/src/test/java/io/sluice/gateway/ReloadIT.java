package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.util.concurrent.Future;
import io.sluice.gateway.admin.ReloadException;
import io.sluice.gateway.tls.SecureClient;
import io.sluice.gateway.tls.TestCertificates;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reload: settings that change, settings that need a restart, and connections that stay open. */
class ReloadIT {
    private static final String HELLO = "sluice.routes.hello { path = /hello, handler = text, text = %s }\n";

    @Test
    void reloadChangesAndRemovesRoutesOnOpenConnections() throws Exception {
        try (var gateway = RunningGateway.start(HELLO.formatted("one"));
                RawClient client = gateway.connect()) {
            String request = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n";
            assertThat(client.send(request).read().body()).isEqualTo("one");

            assertThat(gateway.reload(HELLO.formatted("two")).get("changes").toString())
                    .isEqualTo("[sluice.routes.hello.text: one -> two]");
            assertThat(client.send(request).read().body()).as("on the same connection").isEqualTo("two");

            gateway.reload("");
            assertThat(client.send(request).read().status()).isEqualTo(404);
            await().untilAsserted(() ->
                    assertThat(gateway.getAdmin("/metrics").body()).doesNotContain("uri=\"/hello\""));
        }
    }

    @Test
    void invalidFileIsReportedWithItsLineAndNotApplied() throws Exception {
        try (var gateway = RunningGateway.start(HELLO.formatted("one"))) {
            Files.writeString(gateway.file(), """
                    sluice.routes.hello { path = /hello, handler = text, text = two }
                    sluice.routes.other { path = other, handler = text, text = two }
                    """);
            var answer = gateway.postAdmin("/reload");
            assertThat(answer.statusCode()).isEqualTo(422);
            assertThat(answer.body()).contains("\"title\":\"Unprocessable Content\"",
                    gateway.file() + ":2: sluice.routes.other.path: other");
            assertThat(gateway.get("/hello").body()).isEqualTo("one");
            assertThat(gateway.getAdmin("/metrics").body()).contains("config_reload_last_success 0.0",
                    "config_reload_seconds_count{result=\"failure\"} 1");
        }
    }

    @Test
    void aDatabaseThatFollowsItsPoolIsCheckedLikeAChangedOne(@TempDir Path directory) throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "");
        String config = """
                sluice.offload.pools.main { workers = %%d }
                sluice.databases.main { url = "jdbc:h2:mem:follows", user = sa, pool = main
                  password-file = "%s" }
                """.formatted(secret);
        try (var gateway = RunningGateway.start(config.formatted(1))) {
            Files.delete(secret);
            gateway.reload(config.formatted(1) + HELLO.formatted("one"));
            assertThatThrownBy(() -> gateway.reload(config.formatted(2)))
                    .hasMessageContaining("sluice.databases.main.password-file: ");
        }
    }

    /** Parts that do not change stay in use, whatever has become of their files. */
    @Test
    void missingFilesAreReportedForChangedResourcesOnly(@TempDir Path directory) throws Exception {
        Path script = Files.writeString(directory.resolve("in-use.sql"), "CREATE TABLE seen (id INT)");
        Path ca = Files.writeString(directory.resolve("ca.crt"),
                TestCertificates.AUTHORITY.getCertificatePEM());
        Path site = Files.createDirectory(directory.resolve("site"));
        String inUse = """
                sluice.offload.pools.main { workers = 1 }
                sluice.databases.main { url = "jdbc:h2:mem:inUse", user = sa, pool = main
                  init-script = "%s" }
                sluice.upstreams.shop { endpoints = ["https://127.0.0.1:1"], tls.ca = "%s" }
                sluice.routes.site { path = "/site/**", handler = files, directory = "%s", pool = main }
                """.formatted(script, ca, site);
        try (var gateway = RunningGateway.start(inUse + HELLO.formatted("one"))) {
            Files.delete(script);
            Files.delete(ca);
            Files.delete(site);
            gateway.reload(inUse + HELLO.formatted("two"));
            assertThat(gateway.get("/hello").body()).isEqualTo("two");
            assertThat(gateway.get("/site/a").statusCode()).isEqualTo(503);

            assertThatThrownBy(() -> gateway.reload(inUse + HELLO.formatted("three")
                    + "sluice.databases.other { url = \"jdbc:nope:x\", pool = main }"))
                    .isInstanceOf(ReloadException.class).hasMessageContaining("sluice.databases.other.url");
            assertThat(gateway.get("/hello").body()).isEqualTo("two");
        }
    }

    @Test
    void certificatesInUseStayWhileOtherSettingsOfTheirPortChange(@TempDir Path folder) throws Exception {
        String tls = "sluice.tls { port = 0, reload-interval = 1h, %s }\n"
                .formatted(TestCertificates.write(folder, "a", TestCertificates.LOCALHOST));
        try (var gateway = RunningGateway.start(tls + HELLO.formatted("one"))) {
            Files.writeString(folder.resolve("a.crt"), "garbage");
            gateway.reload(tls + HELLO.formatted("two") + "sluice.server.timeouts.idle = 61s");
            try (RawClient client = SecureClient.connect(gateway.tlsPort())) {
                assertThat(client.send("GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n").read().body())
                        .isEqualTo("two");
            }
        }
    }

    @Test
    void aRouteThatCannotServeChangesNothing() throws Exception {
        try (var gateway = RunningGateway.start(HELLO.formatted("one"))) {
            assertThatThrownBy(() -> gateway.reload(HELLO.formatted("two") + """
                    sluice.offload.pools.more { workers = 2 }
                    sluice.routes.files { path = "/f/**", handler = files, directory = /nowhere, pool = more }
                    """)).isInstanceOf(ReloadException.class).hasMessageContaining("/nowhere");
            assertThat(gateway.get("/hello").body()).isEqualTo("one");
            assertThat(gateway.getAdmin("/metrics").body()).doesNotContain("pool=\"more\"");
        }
    }

    @Test
    void workEndsOnTheSiteThatItBeganOn() throws Exception {
        String wait = """
                sluice.offload.pools.waiters { workers = %d }
                sluice.routes.wait { path = /wait, handler = delay, mode = blocking, pool = waiters,
                  duration = %s }
                """;
        try (var gateway = RunningGateway.start(wait.formatted(1, "3s"))) {
            CompletableFuture<Integer> running = gateway.client().sendAsync(gateway.request("/wait").build(),
                    BodyHandlers.discarding()).thenApply(HttpResponse::statusCode);
            await().until(() -> gateway.getAdmin("/metrics").body().contains(
                    "sluice_offload_busy{pool=\"waiters\"} 1.0"));

            gateway.reload(wait.formatted(2, "1ms"));
            assertThat(gateway.getAdmin("/metrics").body()).contains(
                    "sluice_offload_workers{pool=\"waiters\"} 2.0",
                    "sluice_offload_busy{pool=\"waiters\"} 0.0");
            assertThat(gateway.get("/wait").statusCode()).isEqualTo(200);
            assertThat(running.join()).isEqualTo(200);
            await().until(() -> Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("waiters")).count() <= 2);
        }
    }

    @Test
    void openSocketsFollowTheLimitsOfTheirRoute() throws Exception {
        String echo = "sluice.routes.echo { path = %s, handler = ws-echo, socket.max-message = %s }";
        try (var gateway = RunningGateway.start(echo.formatted("/echo", "200B"));
                SocketClient small = SocketClient.connect(gateway, "/echo");
                SocketClient moved = SocketClient.connect(gateway, "/echo")) {
            assertThat(small.send("x".repeat(126)).next()).hasSize(126);
            gateway.reload(echo.formatted("/echo", "125B"));
            assertThat(small.send("x".repeat(125)).next()).hasSize(125);
            assertThat(small.send("x".repeat(126)).closeCode()).isEqualTo(1009);

            gateway.reload(echo.formatted("/elsewhere", "125B"));
            assertThat(moved.closeCode()).isEqualTo(1001);
        }
    }

    @Test
    void checkListsTheChangesOfAReload() throws Exception {
        String echo = "sluice.routes.echo { path = /echo, handler = ws-echo }\n";
        try (var endpoint = RunningGateway.start(echo);
                var gateway = RunningGateway.start(HELLO.formatted("one") + echo + """
                        sluice.upstreams.echo.endpoints = ["http://127.0.0.1:%d"]
                        sluice.routes.proxy { path = "/proxy/**", handler = proxy, upstream = echo
                          strip-prefix = /proxy }
                        """.formatted(endpoint.port()));
                SocketClient _ = SocketClient.connect(gateway, "/echo");
                SocketClient _ = SocketClient.connect(gateway, "/proxy/echo")) {
            assertThat(gateway.check(HELLO.formatted("two") + "sluice.server.backlog = 7"))
                    .contains("sluice.routes.hello.text: one -> two\n", "sluice.routes.echo removed\n",
                            "2 of 2 WebSockets and event streams would be closed (echo: 1, proxy: 1)",
                            "; only a restart applies: sluice.server.backlog\n");
        }
    }

    @Test
    void reportsKeysThatNeedARestart() throws Exception {
        try (var gateway = RunningGateway.start(HELLO.formatted("one"))) {
            String changed = "sluice.server { backlog = 7, max-connections = 17 }\n";
            assertThat(gateway.reload(changed).get("forNextStart").toString())
                    .isEqualTo("[sluice.server.backlog]");
            assertThat(gateway.reload(changed + HELLO.formatted("two")).get("forNextStart").toString())
                    .as("again").isEqualTo("[sluice.server.backlog]");
            assertThat(gateway.getAdmin("/metrics").body()).contains("sluice_connections_limit 17.0");
        }
    }

    @Test
    void runsNoScriptOnceTheGatewayStops(@TempDir Path folder) throws Exception {
        Path script = Files.writeString(folder.resolve("late.sql"), "CREATE TABLE late (id INT)");
        String late = """
                sluice.offload.pools.main { workers = 1 }
                sluice.databases.main { url = "jdbc:h2:mem:stopping;DB_CLOSE_DELAY=-1", user = sa, pool = main
                  init-script = "%s" }
                """.formatted(script);
        var readings = new AtomicInteger();
        var stopped = new CountDownLatch(1);
        try (var gateway = RunningGateway.start("", () -> {
            if (readings.incrementAndGet() > 1) {
                awaitUninterruptibly(stopped);
            }
        })) {
            Files.writeString(gateway.file(), late);
            List<Future<?>> reloads = List.of(gateway.beginReload(), gateway.beginReload());
            await().until(() -> readings.get() == 2);
            gateway.stop();
            stopped.countDown();

            for (Future<?> reload : reloads) {
                assertThatThrownBy(reload::sync).hasMessageContaining("the gateway stops");
            }
            assertThat(readings).hasValue(2);
            try (var database = DriverManager.getConnection("jdbc:h2:mem:stopping", "sa", "");
                    var tables = database.getMetaData().getTables(null, null, "LATE", null)) {
                assertThat(tables.next()).as("the script has run").isFalse();
            }
        } finally {
            stopped.countDown();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void reloadsOnFileChangeIfConfigured() throws Exception {
        String follow = "sluice.lifecycle.reload-on-change = true\n";
        try (var gateway = RunningGateway.start(follow + HELLO.formatted("one"))) {
            Files.writeString(gateway.file(), "sluice.lifecycle.reload-on-change = true\n"
                    + HELLO.formatted("another"));
            await().until(() -> gateway.get("/hello").body().equals("another"));
        }
    }

    /** Only the configuration's own files are watched, and other reasons pass, too. */
    @Test
    void reloadsAgainAfterRefusal(@TempDir Path folder) throws Exception {
        Path later = folder.resolve("later");
        String follow = "sluice.lifecycle.reload-on-change = true\n";
        try (var gateway = RunningGateway.start(follow + HELLO.formatted("one"))) {
            Files.writeString(gateway.file(), follow + HELLO.formatted("two") + """
                    sluice.offload.pools.main { workers = 1 }
                    sluice.routes.files { path = "/f/**", handler = files, directory = "%s", pool = main }
                    """.formatted(later));
            await().until(() -> gateway.getAdmin("/metrics").body().contains(
                    "config_reload_last_success 0.0"));
            Files.createDirectory(later);
            await().atMost(Duration.ofMinutes(1)).until(() -> gateway.get("/hello").body().equals("two"));
        }
    }

    @Test
    void reloadsOnSqlFileChange(@TempDir Path folder) throws Exception {
        Path sql = Files.writeString(folder.resolve("all.sql"), "-- name: one\nSELECT 1 AS \"n\"");
        try (var gateway = RunningGateway.start("""
                sluice.lifecycle.reload-on-change = true
                sluice.offload.pools.main { workers = 1 }
                sluice.databases.main { url = "jdbc:h2:mem:followed", user = sa, pool = main }
                sluice.routes.one { path = /one, handler = query, database = main, sql-file = "%s#one" }
                """.formatted(sql))) {
            await().until(() -> gateway.get("/one").body().equals("[{\"n\":1}]"));
            Files.writeString(sql, "-- name: one\nSELECT 22 AS \"n\"");
            await().until(() -> gateway.get("/one").body().equals("[{\"n\":22}]"));
        }
    }

    @Test
    void showsTheEffectiveConfiguration() throws Exception {
        try (var gateway = RunningGateway.start("""
                sluice.offload.pools.main { workers = 2 }
                sluice.databases.main { url = "jdbc:h2:mem:told", user = sa, password = secret7, pool = main }
                """)) {
            assertThat(gateway.getAdmin("/config").body())
                    .contains("\"user\":\"sa\"",
                            "\"sluice.databases.main.user\":\"" + gateway.file() + ":3\"")
                    .contains("reference.conf").doesNotContain("secret7");
        }
    }
}
