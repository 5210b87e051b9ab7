package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.proxy.ByteOrigin;
import io.sluice.gateway.routing.RoutingTable;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.ref.WeakReference;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Reload: what goes on, and what ends, while responses stream. */
class ReloadStreamsIT {
    private static final String HELLO = "sluice.routes.hello { path = /hello, handler = text, text = one }\n";

    @Test
    void openStreamsKeepNoReplacedDatabaseOrUpstream() throws Exception {
        String config = """
                sluice.topics.news {}
                sluice.routes.events { path = "/events/{topic}", handler = events, topics = news }
                sluice.routes.publish { path = "/topics/{topic}", handler = publish, topics = news }
                sluice.routes.proxied { path = "/ticks", handler = proxy, upstream = ticks }
                sluice.upstreams.ticks { endpoints = ["http://127.0.0.1:%d"], concurrency = %d }
                """;
        String database = """
                sluice.offload.pools.main { workers = 1 }
                sluice.databases.replaced { url = "jdbc:h2:mem:replaced", user = sa, pool = main }
                """;
        var ticks = new LinkedBlockingQueue<String>();
        try (ByteOrigin origin = ByteOrigin.playing(endpoint -> {
                    endpoint.request();
                    endpoint.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
                    while (true) {
                        endpoint.send(ticks.take());
                    }
                });
                var gateway = RunningGateway.start(config.formatted(origin.port(), 2) + database);
                BufferedReader events = lines(gateway, "/events/all");
                BufferedReader proxied = lines(gateway, "/ticks")) {
            assertThat(threads("probe-replaced")).isTrue();
            gateway.reload(config.formatted(origin.port(), 3));
            await().until(() -> !threads("probe-replaced"));
            ticks.add("data: tick\n");
            assertThat(proxied.readLine()).isEqualTo("data: tick");
            gateway.post("/topics/all", "news");
            assertThat(events.lines().anyMatch("data: news"::equals)).isTrue();
        }
    }

    @Test
    void streamsDoNotKeepMetersOrRoutesThatTheyDoNotUse() throws Exception {
        String config = """
                sluice.topics.news {}
                sluice.routes.events { path = "/events/{topic}", handler = events, topics = news }
                """;
        try (var gateway = RunningGateway.start(config + HELLO);
                BufferedReader _ = lines(gateway, "/events/all")) {
            var first = new WeakReference<RoutingTable>(gateway.site().routes());
            assertThat(gateway.get("/hello").body()).isEqualTo("one");
            await().untilAsserted(() ->
                    assertThat(gateway.getAdmin("/metrics").body()).contains("uri=\"/hello\""));
            gateway.reload(config);
            await().untilAsserted(() ->
                    assertThat(gateway.getAdmin("/metrics").body()).doesNotContain("uri=\"/hello\""));
            await().until(() -> {
                System.gc();
                return first.get() == null;
            });
        }
    }

    @Test
    void aResponseThatStreamsDoesNotKeepTheChecksOfItsUpstream() throws Exception {
        String config = """
                sluice.routes.proxied { path = "/ticks", handler = proxy, upstream = ticks }
                sluice.upstreams.ticks { endpoints = ["http://127.0.0.1:%d"]
                  health { path = "/%s", interval = 100ms } }
                """;
        var ticks = new LinkedBlockingQueue<String>();
        try (ByteOrigin origin = ByteOrigin.playing(endpoint -> {
                    if (!endpoint.request().startsWith("GET /ticks")) {
                        endpoint.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                        return;
                    }
                    endpoint.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
                    while (true) {
                        endpoint.send(ticks.take());
                    }
                });
                var gateway = RunningGateway.start(config.formatted(origin.port(), "former"));
                BufferedReader proxied = lines(gateway, "/ticks")) {
            gateway.reload(config.formatted(origin.port(), "next"));
            await().until(() -> {
                int before = origin.requests().size();
                await().until(() -> origin.requests().size() > before + 3);
                return origin.requests().stream().skip(before).noneMatch(head -> head.contains("/former"));
            });
            ticks.add("data: tick\n");
            assertThat(proxied.readLine()).isEqualTo("data: tick");
        }
    }

    private static BufferedReader lines(RunningGateway gateway, String target) throws Exception {
        HttpRequest request = gateway.request(target).header("Accept", "text/event-stream").build();
        return new BufferedReader(new InputStreamReader(
                gateway.client().send(request, BodyHandlers.ofInputStream()).body(), StandardCharsets.UTF_8));
    }

    private static boolean threads(String name) {
        return Thread.getAllStackTraces().keySet().stream().anyMatch(each -> each.getName().equals(name));
    }
}
