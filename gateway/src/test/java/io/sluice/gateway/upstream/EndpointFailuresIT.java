package io.sluice.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.handlers.upstream.EndpointStats;
import io.sluice.handlers.upstream.EndpointStats.State;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failing endpoints: single ones, and some among others. */
@Timeout(300)
class EndpointFailuresIT {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private static RunningGateway gateway(String keys, String... urls) {
        return RunningGateway.start("""
                sluice {
                  upstreams.shop { endpoints = ["%s"], %s }
                  routes.proxy { path = "/**", handler = proxy, upstream = shop }
                }
                """.formatted(String.join("\", \"", urls), keys));
    }

    private static List<EndpointStats> stats(RunningGateway gateway) {
        return gateway.upstream("shop").endpoints();
    }

    private static List<Integer> statuses(RunningGateway gateway, int requests) {
        List<CompletableFuture<HttpResponse<String>>> all = IntStream.range(0, requests)
                .mapToObj(_ -> gateway.client().sendAsync(gateway.request("/").build(),
                        HttpResponse.BodyHandlers.ofString())).toList();
        return all.stream().map(answer -> answer.join().statusCode()).toList();
    }

    /** A request that finds several endpoints gone has a single retry, which those do not use up. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void requestsSucceedWhileAnotherEndpointIsLive(int gone) throws Exception {
        var urls = new ArrayList<String>();
        for (int i = 0; i < gone; i++) {
            urls.add("http://127.0.0.1:" + RunningGateway.freePort());
        }
        try (Origin live = Origin.start("live");
                var gateway = gateway("circuit.back-off = 300s",
                        Stream.concat(urls.stream(), Stream.of(live.url())).toArray(String[]::new))) {
            await().atMost(LIMIT).until(() -> {
                assertThat(gateway.get("/").statusCode()).isEqualTo(200);
                return stats(gateway).getFirst().state() == State.DOWN;
            });
            assertThat(stats(gateway).getFirst().failures().get(Stage.CONNECT)).isEqualTo(3);
            for (int i = 0; i < 10; i++) {
                assertThat(statuses(gateway, 30)).containsOnly(200);
            }
            HttpResponse<String> posted = gateway.send(gateway.request("/")
                    .POST(HttpRequest.BodyPublishers.ofString("x")));
            assertThat(posted.statusCode()).isEqualTo(200);
        }
    }

    @Test
    void thatResetConnectionsGoDownToo() throws Exception {
        try (Origin live = Origin.start("live"); Origin broken = Origin.start("broken", _ -> null);
                var gateway = gateway("circuit.back-off = 300s", broken.url(), live.url())) {
            await().atMost(LIMIT).until(() -> { // it gets fewer requests after two failures
                assertThat(gateway.get("/").statusCode()).isEqualTo(200);
                return stats(gateway).getFirst().state() == State.DOWN;
            });
            assertThat(broken.heads()).hasSize(3);
        }
    }

    @Test
    void thatAnswerWithErrorsStayUp() throws Exception {
        try (Origin failing = Origin.start("failing", _ -> "500"); var gateway = gateway("", failing.url())) {
            for (int i = 0; i < 10; i++) {
                assertThat(gateway.get("/").statusCode()).isEqualTo(500);
            }
            assertThat(stats(gateway)).extracting(EndpointStats::state).containsExactly(State.UP);
        }
    }

    @Test
    void areProbedAfterTheBackOff() throws Exception {
        var broken = new AtomicBoolean(true);
        try (Origin live = Origin.start("live");
                Origin other = Origin.start("other", _ -> broken.get() ? null : "other");
                var gateway = gateway("circuit.back-off = 100ms, slow-start = 0s", other.url(), live.url())) {
            await().atMost(LIMIT).until(() -> {
                assertThat(gateway.get("/").body()).isEqualTo("live");
                return stats(gateway).getFirst().state() == State.DOWN;
            });
            broken.set(false);
            await().atMost(LIMIT).until(() -> gateway.get("/").body().equals("other"));
            assertThat(stats(gateway)).extracting(EndpointStats::state).containsExactly(State.UP, State.UP);
        }
    }

    /** One request waits at the endpoint as its probe; other requests are refused at once. */
    @Test
    void refuseAllButOneRequestIfTheyAreAlone() throws Exception {
        var requests = new AtomicInteger();
        var probed = new CountDownLatch(1);
        try (Origin only = Origin.start("only", _ -> {
            if (requests.incrementAndGet() <= 3) {
                return null;
            }
            probed.await();
            return "only";
        }); var gateway = gateway("retries = 0", only.url())) {
            for (int i = 0; i < 3; i++) {
                assertThat(gateway.get("/").statusCode()).isEqualTo(502);
            }
            var probe = gateway.client().sendAsync(gateway.request("/").build(),
                    HttpResponse.BodyHandlers.ofString());
            await().atMost(LIMIT).until(() -> only.heads().size() == 4);
            assertThat(stats(gateway)).extracting(EndpointStats::state).containsExactly(State.PROBING);

            HttpResponse<String> refused = gateway.get("/");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(refused.body()).contains("connect: no endpoint of the upstream is up")
                    .doesNotContain("127.0.0.1");
            assertThat(statuses(gateway, 20)).containsOnly(503);
            assertThat(only.heads()).hasSize(4);

            probed.countDown();
            assertThat(probe.get().body()).isEqualTo("only");
            assertThat(statuses(gateway, 20)).containsOnly(200);
        } finally {
            probed.countDown();
        }
    }

    @Test
    void workAgainWithTheNextRequestIfTheyAreAlone() throws Exception {
        int port = RunningGateway.freePort();
        try (var gateway = gateway("", "http://127.0.0.1:" + port)) {
            for (int i = 0; i < 5; i++) {
                assertThat(gateway.get("/").statusCode()).isIn(502, 503);
            }
            try (var _ = new Origin("back", "127.0.0.1", port, false, _ -> "back")) {
                assertThat(gateway.get("/").body()).isEqualTo("back");
            }
        }
    }

    @Test
    void freeTheProbeOfAClientThatLeaves() throws Exception {
        var requests = new AtomicInteger();
        var never = new CountDownLatch(1);
        try (Origin only = Origin.start("only", _ -> {
            int number = requests.incrementAndGet();
            if (number == 4) {
                never.await();
            }
            return number < 4 ? null : "only";
        }); var gateway = gateway("retries = 0", only.url())) {
            for (int i = 0; i < 3; i++) {
                gateway.get("/");
            }
            try (var client = gateway.connect()) {
                client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
                await().atMost(LIMIT).until(() -> only.heads().size() == 4);
            }
            await().atMost(LIMIT).until(() -> gateway.get("/").statusCode() == 200);
        } finally {
            never.countDown();
        }
    }

    /** Otherwise one client after the other would wait for its deadline. */
    @ParameterizedTest
    @ValueSource(strings = {"deadline = 800ms", "deadline = 1m }, routes.proxy { deadline = 800ms"})
    void countAProbeThatIsNotAnsweredInTime(String limit) throws Exception {
        var requests = new AtomicInteger();
        var never = new CountDownLatch(1);
        try (Origin live = Origin.start("live"); Origin hanging = Origin.start("hanging", _ -> {
            if (requests.incrementAndGet() > 3) {
                never.await();
            }
            return null;
        }); var gateway = gateway("circuit.back-off = 1500ms, " + limit,
                hanging.url(), live.url())) {
            await().atMost(LIMIT).until(() ->
                    statuses(gateway, 1).contains(504) && hanging.heads().size() > 3);
            assertThat(stats(gateway).getFirst().state()).isEqualTo(State.DOWN);
            assertThat(statuses(gateway, 20)).as("while no other probe is due").containsOnly(200);
        } finally {
            never.countDown();
        }
    }

    /** Its client waits for less than half of the deadline, or keeps the endpoint waiting for the body. */
    @ParameterizedTest
    @ValueSource(strings = {
            "GET / HTTP/1.1\r\nHost: a\r\nX-Request-Timeout: 200ms\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nX-Request-Timeout: 6s\r\nContent-Length: 9\r\n\r\na"})
    void doNotCountAProbeThatProvesNothing(String request) throws Exception {
        var hangs = new AtomicBoolean();
        var heals = new AtomicBoolean();
        var never = new CountDownLatch(1);
        try (Origin live = Origin.start("live"); Origin other = Origin.start("other", _ -> {
            if (hangs.get()) {
                never.await();
            }
            return heals.get() ? "other" : null;
        }); var gateway = gateway("circuit.back-off = 2s, deadline = 10s", other.url(), live.url())) {
            await().atMost(LIMIT).until(() -> {
                statuses(gateway, 1);
                return stats(gateway).getFirst().state() == State.DOWN;
            });
            hangs.set(true);
            int before = other.heads().size();
            await().atMost(LIMIT).until(() -> {
                try (RawClient client = gateway.connect()) {
                    client.send(request).read();
                }
                return other.heads().size() > before;
            });
            hangs.set(false);
            heals.set(true);
            assertThat(IntStream.range(0, 30).mapToObj(_ -> statuses(gateway, 1))).allMatch(
                    List.of(200)::equals);
            assertThat(other.heads()).hasSizeGreaterThan(before + 1);
        } finally {
            never.countDown();
        }
    }

    @Test
    void getFewRequestsIfTheyAreSlow() throws Exception {
        try (Origin slow = Origin.start("slow", _ -> {
            Thread.sleep(1000); // the origin takes a second for each response
            return "slow";
        }); Origin fast = Origin.start("fast"); var gateway = gateway("", slow.url(), fast.url())) {
            for (int i = 0; i < 100; i++) {
                assertThat(statuses(gateway, 4)).containsOnly(200);
            }
            assertThat(slow.heads()).hasSizeBetween(1, 40); // usually 2 to 4, more on a busy machine
            assertThat(stats(gateway)).allMatch(stats -> stats.firstByte().isPositive());
        }
    }
}
