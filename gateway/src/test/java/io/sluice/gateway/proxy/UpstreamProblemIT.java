package io.sluice.gateway.proxy;

import static io.sluice.gateway.proxy.ProxyBed.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.handlers.upstream.EndpointStats;
import io.sluice.handlers.upstream.RequestStage;
import io.sluice.handlers.upstream.Upstream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** Error responses of the proxy: they name the stage, and never the endpoint's address. */
class UpstreamProblemIT {

    private static void assertProblem(RawClient.Answer answer, int status, String detail) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
        assertThat(answer.body()).contains("\"detail\":\"" + detail).doesNotContain("127.0.0.1");
        assertThat(answer.header("via")).isNull();
    }

    @Test
    void ofConnecting() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.gone())) {
            assertProblem(proxy.get("/"), 502, "connect: ");
        }
    }

    /** Long before the limit of a connection. */
    @Test
    void ofTheDeadlineWhileConnecting() throws IOException {
        try (var full = new FullBacklog(); var gateway = RunningGateway.start("""
                sluice.upstreams.full { endpoints = ["http://127.0.0.1:%d"], deadline = 1200ms }
                sluice.upstreams.full.connect-timeout = 1m
                sluice.routes.all { path = "/**", handler = proxy, upstream = full }
                """.formatted(full.port())); RawClient client = gateway.connect()) {
            long before = System.nanoTime();
            assertProblem(client.send(request("GET", "/")).read(), 504,
                    "connect: the upstream could not be reached in time");
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isBetween(Duration.ofMillis(1200),
                    Duration.ofSeconds(30));
            assertThat(gateway.upstream("full").cancelledWhile(RequestStage.CONNECTING)).isEqualTo(1);
        }
    }

    @Test
    void ofAFullQueue() throws IOException {
        String full = "sluice.upstreams.origin { concurrency = 1, queue-limit = 0 }";
        try (var proxy = ProxyBed.start(full, ByteOrigin.playing(ByteOrigin.Connection::drain));
                RawClient first = proxy.connect().send(request("GET", "/"))) {
            await().until(() -> proxy.upstream().permits().stats().busy() == 1);
            RawClient.Answer answer = proxy.get("/");
            assertProblem(answer, 503, "queue: ");
            assertThat(answer.header("retry-after")).matches("[1-9][0-9]*");
            assertThat(first.socket().isConnected()).isTrue();
        }
    }

    @Test
    void ofTheDeadlineInTheQueue() throws IOException {
        String short1 = "sluice.upstreams.origin { concurrency = 1, deadline = 1200ms }";
        try (var proxy = ProxyBed.start(short1, ByteOrigin.playing(origin -> {
            origin.request();
            origin.send("HTTP/1.1 200 OK\r\n\r\n").hold();
        })); RawClient first = proxy.connect().send(request("GET", "/"))) {
            assertThat(first.socket().getInputStream().read()).isPositive();
            assertProblem(proxy.get("/"), 504, "queue: ");
        }
    }

    @Test
    void ofTheDeadlineBeforeTheResponse() throws IOException {
        try (var proxy = ProxyBed.start("sluice.upstreams.origin.deadline = 1200ms",
                ByteOrigin.playing(ByteOrigin.Connection::drain))) {
            assertProblem(proxy.get("/"), 504, "response: ");
        }
    }

    /** Requests that wait for a connection are load of its endpoint, until their clients leave. */
    @Test
    void ofOneEndpointLeavesItNoMoreThanItsShare() throws IOException {
        try (var full = new FullBacklog(); var other = ByteOrigin.playing(ByteOrigin.Connection::drain);
                var gateway = RunningGateway.start("""
                sluice.server.worker-threads = 1
                sluice.upstreams.two { endpoints = ["http://127.0.0.1:%d", "http://127.0.0.1:%d"] }
                sluice.upstreams.two { deadline = 1m, connect-timeout = 1m }
                sluice.routes.all { path = "/**", handler = proxy, upstream = two }
                """.formatted(full.port(), other.port()))) {
            Upstream two = gateway.upstream("two");
            for (int round = 1; round <= 2; round++) {
                var clients = new ArrayList<RawClient>();
                for (int i = 1; i <= 10; i++) {
                    clients.add(gateway.connect().send(request("GET", "/")));
                    int busy = i;
                    await().until(() -> two.permits().stats().busy() == busy);
                }
                await().untilAsserted(() -> assertThat(two.endpoints()).extracting(EndpointStats::inFlight)
                        .containsExactly(0, 5));
                for (RawClient client : clients) {
                    client.close();
                }
                await().until(() -> two.permits().stats().busy() == 0);
            }
        }
    }
}
