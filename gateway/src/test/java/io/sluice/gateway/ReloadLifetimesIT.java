package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import io.sluice.gateway.logging.LoggedEvents;
import io.sluice.gateway.routing.RoutingTable;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Reload: lifetimes of programs, routes, meters and scripts, and events during a reload. */
class ReloadLifetimesIT {
    private static final String HELLO = "sluice.routes.hello { path = /hello, handler = text, text = %s }\n";
    private static final String DATABASE = """
            sluice.offload.pools.main { workers = %d }
            sluice.databases.%s { url = "jdbc:h2:mem:%2$s", user = sa, password = "", pool = main
              init-script = "%s" }
            """;
    /** A script that sleeps for the given milliseconds, which keeps the reload that runs it in progress. */
    private static final String SLEEP =
            "CREATE ALIAS SLEEP FOR \"java.lang.Thread.sleep(long)\"; CALL SLEEP(%d)"; // in the database

    @TempDir
    private Path directory;

    private Path script(String sql) throws IOException {
        return Files.writeString(directory.resolve("script.sql"), sql);
    }

    @Test
    void programsThatWaitStillRun() throws Exception {
        String code = """
                sluice.offload.pools.programs { workers = 1, deadline = 5m }
                sluice.routes.code { path = /code, handler = ws-code, pool = programs, deadline = 5m
                  program { sandbox = none, warm = 0, wall-time = %s } }
                """;
        try (var gateway = RunningGateway.start(code.formatted("60s"));
                var first = SocketClient.connect(gateway, "/code");
                var second = SocketClient.connect(gateway, "/code")) {
            first.send("{\"code\": \"import time; time.sleep(2)\"}");
            await().until(() -> gateway.getAdmin("/metrics").body().contains(
                    "sluice_offload_busy{pool=\"programs\"} 1.0"));
            second.send("{\"code\": \"print(7)\"}");
            await().until(() -> gateway.getAdmin("/metrics").body().contains(
                    "sluice_offload_queued{pool=\"programs\"} 1.0"));
            gateway.reload(code.formatted("61s"));
            assertThat(first.next()).contains("\"exitCode\":0");
            assertThat(second.next()).contains("\"stdout\":\"7\\n\"");
        }
    }

    @Test
    void programsFollowAPoolThatIsRenamed() throws Exception {
        String code = """
                sluice.offload.pools.%1$s { workers = 1, deadline = 5m }
                sluice.routes.code { path = /code, handler = ws-code, pool = %1$s, deadline = 5m
                  program { sandbox = none, warm = 0, wall-time = 1m } }
                """;
        try (var gateway = RunningGateway.start(code.formatted("former"));
                var socket = SocketClient.connect(gateway, "/code")) {
            socket.send("{\"code\": \"print(6)\"}");
            assertThat(socket.next()).contains("\"stdout\":\"6\\n\"");
            gateway.reload(code.formatted("renamed"));
            await().until(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(each -> each.getName().startsWith("offload-former-")));
            socket.send("{\"code\": \"print(7)\"}");
            assertThat(socket.next()).contains("\"stdout\":\"7\\n\"");
        }
    }

    @Test
    void formerRoutesAreForgotten() throws Exception {
        String pool = "sluice.offload.pools.stays { workers = 1 }\n";
        try (var gateway = RunningGateway.start(pool + HELLO.formatted("one"))) {
            var first = new WeakReference<RoutingTable>(gateway.site().routes());
            for (String text : new String[] {"two", "three", "four"}) {
                gateway.reload(pool + HELLO.formatted(text));
            }
            await().until(() -> {
                System.gc();
                return first.get() == null;
            });
        }
    }

    @Test
    void theMetersOfARouteGoAfterItsLastRequest() throws Exception {
        try (var gateway = RunningGateway.start(
                "sluice.routes.wait { path = /wait, handler = delay, duration = 1700ms }")) {
            CompletableFuture<Integer> running = gateway.client().sendAsync(gateway.request("/wait").build(),
                    BodyHandlers.discarding()).thenApply(HttpResponse::statusCode);
            await().until(() -> !gateway.site().routes().usesNoResources());
            gateway.reload("");
            assertThat(running.join()).isEqualTo(200);
            await().untilAsserted(() ->
                    assertThat(gateway.getAdmin("/metrics").body()).doesNotContain("uri=\"/wait\""));
        }
    }

    /** The connection keeps the database, in which the script fails if it runs a second time. */
    @Test
    void scriptsRunWhenNothingElseCanFail() throws Exception {
        String ports = "sluice.server.port = %d\n";
        int free = RunningGateway.freePort();
        try (var _ = DriverManager.getConnection("jdbc:h2:mem:last", "sa", "");
                var taken = new ServerSocket(0);
                var gateway = RunningGateway.startAtPorts(ports.formatted(0))) {
            String broken = DATABASE.formatted(1, "broken", script("CREATE TABEL made (number INT)"));
            assertThatThrownBy(() -> gateway.reload(ports.formatted(free) + broken))
                    .hasMessageContaining("script.sql: ");
            assertThatThrownBy(() -> new RawClient(free)).isInstanceOf(ConnectException.class);

            String sound = DATABASE.formatted(1, "last", script("CREATE TABLE made (number INT)"));
            assertThatThrownBy(() -> gateway.reload(ports.formatted(taken.getLocalPort()) + sound))
                    .hasMessageContaining("sluice.server.port: ");
            gateway.reload(ports.formatted(0) + sound);
        }
    }

    @Test
    void aScriptRunsOnceForADatabase() throws Exception {
        Path script = script("CREATE TABLE once (number INT)");
        try (var gateway = RunningGateway.start(DATABASE.formatted(1, "once", script))) {
            gateway.reload(DATABASE.formatted(2, "once", script)); // more workers need more connections
            assertThat(gateway.getAdmin("/readyz").body()).contains("\"once\"");
        }
    }

    @Test
    void aChangeWhileItReloadsIsNoticed() throws Exception {
        Path script = script(SLEEP.formatted(1_500));
        String follow = "sluice.lifecycle.reload-on-change = true\n";
        try (var gateway = RunningGateway.start(follow + HELLO.formatted("one"))) {
            var slow = CompletableFuture.supplyAsync(() -> reload(gateway, follow + HELLO.formatted("two")
                    + DATABASE.formatted(1, "slow-reload", script)));
            await().until(() -> threads("probe-slow-reload"));
            Files.writeString(gateway.file(), follow + HELLO.formatted("three"));
            assertThat(slow.join()).isNotEmpty();
            await().until(() -> gateway.get("/hello").body().equals("three"));
        }
    }

    @Test
    void aChangeDuringTheStartIsNoticed() throws Exception {
        Path hello = Files.writeString(directory.resolve("hello.conf"), HELLO.formatted("one"));
        String config = "sluice.lifecycle.reload-on-change = true\ninclude file(\"" + hello + "\")\n"
                + DATABASE.formatted(1, "slow-begin", script(SLEEP.formatted(1_500)));
        var start = CompletableFuture.supplyAsync(() -> RunningGateway.start(config));
        await().until(() -> threads("probe-slow-begin"));
        Files.writeString(hello, HELLO.formatted("another"));
        try (var gateway = start.join()) {
            await().until(() -> gateway.get("/hello").body().equals("another"));
        }
    }

    @Test
    void aFileThatARefusedConfigurationLacksIsNoticed() throws Exception {
        Path missing = directory.resolve("missing.conf");
        String follow = "sluice.lifecycle.reload-on-change = true\n";
        try (var gateway = RunningGateway.start(follow + HELLO.formatted("one"))) {
            Files.writeString(gateway.file(), follow + "include file(\"" + missing + "\")\n");
            await().until(() -> gateway.getAdmin("/metrics").body()
                    .contains("config_reload_last_success 0.0"));
            Files.writeString(missing, HELLO.formatted("two"));
            await().until(() -> gateway.get("/hello").body().equals("two"));
        }
    }

    private static Map<String, Object> reload(RunningGateway gateway, String config) {
        try {
            return gateway.reload(config);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean threads(String name) {
        return Thread.getAllStackTraces().keySet().stream().anyMatch(each -> each.getName().equals(name));
    }

    @Test
    void nothingIsReloadedBeforeTheStartIsDone() throws Exception {
        int port = RunningGateway.freePort();
        String config = "sluice.admin.port = " + port + '\n'
                + DATABASE.formatted(1, "slow-start", script(SLEEP.formatted(3_000)));
        try (HttpClient client = HttpClient.newHttpClient()) {
            var start = CompletableFuture.supplyAsync(() -> RunningGateway.startAtAdminPort(config));
            var reload = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/reload"))
                    .POST(HttpRequest.BodyPublishers.noBody()).build();
            await().until(() -> threads("probe-slow-start"));
            assertThat(client.send(reload, BodyHandlers.ofString()).statusCode()).isEqualTo(503);
            try (var _ = start.join()) {
                assertThat(client.send(reload, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
            }
        }
    }

    @Test
    void unexpectedExceptionsOfAReloadAreLogged() throws Exception {
        var events = new LoggedEvents();
        var log = (Logger) LoggerFactory.getLogger(Reload.class);
        var fails = new AtomicBoolean();
        try (var gateway = RunningGateway.start(HELLO.formatted("one"), () -> {
            if (fails.get()) {
                throw new IllegalStateException("nobody foresaw this");
            }
        })) {
            fails.set(true);
            log.addAppender(events);
            events.start();
            assertThat(gateway.postAdmin("/reload").statusCode()).isEqualTo(500);
            assertThat(events.list).anySatisfy(event -> assertThat(event.getThrowableProxy().getMessage())
                    .isEqualTo("nobody foresaw this"));
        } finally {
            log.detachAppender(events);
        }
    }
}
