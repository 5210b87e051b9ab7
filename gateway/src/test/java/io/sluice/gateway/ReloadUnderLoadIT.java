package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.admin.ReloadException;
import java.lang.ref.WeakReference;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** 200 reloads beside 2,000 WebSockets and a steady load: only sockets of the removed route are closed. */
class ReloadUnderLoadIT {
    private static final int RELOADS = 200;
    private static final int WRONG = 101;
    /** The reloads between two published messages. */
    private static final int SPACING = 10;
    private static final int SUBSCRIBERS = 1_500;
    private static final int CALLERS = 480;
    private static final int GONE = 20;
    private static final int PROXIED = 100;
    /** The routes that stay. Reloads change a number in a text, a limit, and the size of a pool. */
    private static final String BASE = """
            sluice {
              server { max-connections-per-address = 10000 }
              offload { pool-defaults.deadline = 2m, pools { main.workers = 2, resized.workers = %2$d } }
              databases {
                main { url = "jdbc:h2:mem:reload-main", user = sa, password = "", pool = main }
                resized { url = "jdbc:h2:mem:reload-resized", user = sa, password = "", pool = resized }
              }
              topics.news { last-messages = %3$dKiB }
              upstreams.echo { endpoints = ["http://127.0.0.1:%4$d"], concurrency = %3$d }
              routes {
                hello { path = /hello, handler = text, text = "hello %1$d" }
                row { path = /row, handler = query, database = main, sql = "SELECT 1 AS ok" }
                resized { path = /resized, handler = query, database = resized, sql = "SELECT 2 AS ok" }
                news { path = "/news/{topic}", handler = ws-topic, topics = news
                  socket.max-message = %3$dKiB }
                publish { path = "/publish/{topic}", handler = publish, topics = news }
                call { path = /call, handler = ws-rpc, max-in-flight = %3$d }
                proxied { path = /echo, handler = proxy, upstream = echo }
              }
            }
            """;
    private static final String GOING = "sluice.routes.going { path = /going, handler = ws-echo }\n";
    private static final String COMING = """
            sluice.offload.pools.coming-%1$d { workers = 1 }
            sluice.databases.coming-%1$d {
              url = "jdbc:h2:mem:reload-%1$d", user = sa, password = "", pool = coming-%1$d }
            sluice.routes.coming-%1$d {
              path = /coming/%1$d, handler = query, database = coming-%1$d, sql = "SELECT %1$d AS ok" }
            """;

    private final RunningGateway endpoint =
            RunningGateway.start("sluice.routes.echo { path = /echo, handler = ws-echo }");
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger answers = new AtomicInteger();
    private final List<WeakReference<Object>> sites = new ArrayList<>();

    @AfterEach
    void stop() {
        endpoint.close();
    }

    private String base(int reload) {
        return BASE.formatted(reload, 1 + reload % 3, 64 + reload % 5, endpoint.port());
    }

    @Test
    void reloadAffectsOnlyRemovedRoutes() throws Exception {
        try (var gateway = RunningGateway.start(base(0) + GOING)) {
            await().until(() -> gateway.getAdmin("/readyz").statusCode() == 200);
            List<SocketClient> subscribers = sockets(gateway, SUBSCRIBERS, "/news/a");
            List<SocketClient> callers = sockets(gateway, CALLERS, "/call");
            List<SocketClient> proxied = sockets(gateway, PROXIED, "/echo");
            List<SocketClient> gone = sockets(gateway, GONE, "/going");
            warmUp(gateway, callers.getFirst());
            Set<String> series = series(gateway);

            ScheduledExecutorService clients = Executors.newScheduledThreadPool(1);
            List.of("/hello", "/row", "/resized").forEach(path -> clients.scheduleWithFixedDelay(
                    () -> ask(gateway, path), 0, 20, TimeUnit.MILLISECONDS));
            for (int i = 1; i <= RELOADS; i++) {
                reload(gateway, i);
                if (i % SPACING == 0) {
                    assertThat(gateway.post("/publish/a", Integer.toString(i)).statusCode()).isEqualTo(200);
                }
            }
            gateway.reload(base(0));
            clients.shutdown();
            assertThat(clients.awaitTermination(30, TimeUnit.SECONDS)).isTrue();

            for (SocketClient subscriber : subscribers) {
                for (int i = SPACING; i <= RELOADS; i += SPACING) {
                    assertThat(subscriber.next()).isEqualTo(Integer.toString(i));
                }
            }
            for (SocketClient caller : callers) {
                assertThat(caller.send("{\"path\":\"/hello\"}").next()).contains("hello 0");
            }
            for (SocketClient echo : proxied) {
                assertThat(echo.send("on an upstream of long ago").next()).contains("long ago");
            }
            for (SocketClient closed : gone) {
                assertThat(closed.closeCode()).isEqualTo(1001);
            }
            await().until(() -> answers.get() >= 3 * RELOADS);
            assertThat(failures).isEmpty();
            await().untilAsserted(() -> assertThat(series(gateway)).isEqualTo(withoutGoing(series)));
            await().until(this::onlyTheLastIsLeft);
            subscribers.forEach(SocketClient::close);
            callers.forEach(SocketClient::close);
            proxied.forEach(SocketClient::close);
        }
    }

    private static List<SocketClient> sockets(RunningGateway gateway, int count, String path) {
        var sockets = new ArrayList<SocketClient>();
        for (int i = 0; i < count; i++) {
            sockets.add(SocketClient.connect(gateway, path));
        }
        return sockets;
    }

    /** Sends requests until all time series exist. */
    private void warmUp(RunningGateway gateway, SocketClient caller) throws Exception {
        for (int i = 0; i < 20; i++) { // enough for each event loop to get some
            List.of("/hello", "/row", "/resized").forEach(path -> ask(gateway, path));
        }
        assertThat(gateway.post("/publish/none", "").statusCode()).isEqualTo(200);
        assertThat(caller.send("{\"path\":\"/hello\"}").next()).contains("hello");
        await().until(() -> answers.get() == 60);
        gateway.getAdmin("/metrics");
    }

    private void ask(RunningGateway gateway, String path) {
        gateway.client().sendAsync(gateway.request(path).build(), BodyHandlers.ofString())
                .whenComplete((answer, failure) -> count(path, answer, failure));
    }

    private void count(String path, HttpResponse<String> answer, Throwable failure) {
        answers.incrementAndGet();
        if (failure != null || answer.statusCode() != 200) {
            failures.add(path + ": " + (failure == null ? answer.statusCode() + answer.body() : failure));
        }
    }

    private void reload(RunningGateway gateway, int i) throws Exception {
        if (i == WRONG) {
            assertThatThrownBy(() -> gateway.reload(base(i) + "sluice.routes.hello.path = hello"))
                    .isInstanceOf(ReloadException.class);
            assertThat(gateway.get("/hello").body()).isEqualTo("hello " + (i - 1));
            return;
        }
        sites.add(new WeakReference<>(gateway.site()));
        boolean comes = i % 5 == 0;
        Map<String, Object> changed = gateway.reload(base(i) + (comes ? COMING.formatted(i) : "")
                + (i < RELOADS / 2 ? GOING : ""));
        assertThat(changed.get("socketsClosing")).isEqualTo(i == RELOADS / 2 ? GONE : 0);
        assertThat(gateway.get("/hello").body()).isEqualTo("hello " + i);
        assertThat(gateway.get("/coming/" + i).statusCode()).isEqualTo(comes ? 200 : 404);
    }

    /**
     * Returns names and labels of all meters, except those of the JVM, which the gateway does not control.
     */
    private static Set<String> series(RunningGateway gateway) throws Exception {
        return gateway.getAdmin("/metrics").body().lines()
                .filter(line -> line.startsWith("sluice_") || line.startsWith("hikaricp_")
                        || line.startsWith("http_server_requests_seconds_count"))
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .filter(line -> !line.contains("UNKNOWN")) // requests for a removed route
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> withoutGoing(Set<String> series) {
        return series.stream().filter(line -> !line.contains("uri=\"/going\""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private boolean onlyTheLastIsLeft() {
        System.gc();
        return sites.stream().allMatch(site -> site.get() == null);
    }
}
