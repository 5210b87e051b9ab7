package io.sluice.gateway.proxy;

import static io.sluice.gateway.proxy.ProxyBed.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.handlers.upstream.EndpointStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Retries of proxied requests, and requests that are never retried. */
class RetryIT {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String UNAVAILABLE =
            "HTTP/1.1 503 Stopping\r\nConnection: close\r\nContent-Length: 5\r\n\r\nlater";
    private static final String NO_RETRIES = "sluice.upstreams.origin.retries = 0\n";

    /**
     * Starts a server that answers the first request of each connection. The given number of connections are
     * reset at their second request.
     */
    private static ByteOrigin breakingReused(int connections) throws IOException {
        var number = new AtomicInteger();
        return ByteOrigin.playing(origin -> {
            boolean breaks = number.incrementAndGet() <= connections;
            for (boolean first = true; origin.request() != null; first = false) {
                if (breaks && !first) {
                    origin.reset();
                }
                origin.send(OK);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PROPFIND", "QUERY"})
    void onAConnectionThatWasIdleAreRepeatedFree(String method) throws IOException {
        try (var proxy = ProxyBed.start(NO_RETRIES, breakingReused(1))) {
            assertThat(proxy.get("/").status()).isEqualTo(200);
            try (RawClient client = proxy.connect()) {
                client.send(request(method, "/", "Content-Length: 3") + "abc");
                assertThat((method.equals("HEAD") ? client.readHead() : client.read()).status())
                        .isEqualTo(200);
            }
            assertThat(proxy.origin().connections()).isEqualTo(2);
            assertThat(proxy.origin().requests().subList(1, 3))
                    .allMatch(sent -> sent.endsWith("\r\n\r\nabc"));
        }
    }

    @Test
    void onManyIdleConnectionsThatAreClosedAllAreAnswered() throws IOException {
        int idle = 5;
        try (var proxy = ProxyBed.start(NO_RETRIES, breakingReused(idle))) {
            var clients = new ArrayList<RawClient>();
            for (int i = 0; i < idle; i++) {
                clients.add(proxy.connect().send(request("GET", "/")));
            }
            for (RawClient client : clients) {
                assertThat(client.read().status()).isEqualTo(200);
                client.close();
            }
            assertThat(proxy.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void ofAMethodWithEffectsReachAnOriginOnce() throws IOException {
        try (var proxy = ProxyBed.start("sluice.upstreams.origin.retries = 3", breakingReused(1))) {
            assertThat(proxy.get("/").status()).isEqualTo(200);
            RawClient.Answer answer = proxy.exchange(request("POST", "/", "Content-Length: 3") + "abc");
            assertThat(answer.status()).isEqualTo(502);
            assertThat(proxy.origin().requests()).hasSize(2);
        }
    }

    @Test
    void ofAnyMethodGoToAnotherEndpointIfOneCannotBeReached() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(OK), ByteOrigin.gone())) {
            for (int i = 0; i < 20; i++) {
                assertThat(proxy.exchange(request("POST", "/", "Content-Length: 3") + "abc").status())
                        .isEqualTo(200);
            }
            assertThat(proxy.origin().requests()).hasSize(20).allMatch(sent -> sent.endsWith("abc"));
        }
    }

    /** Starts a server that resets its first connection at its first request. */
    private static ByteOrigin resettingOnce() throws IOException {
        var first = new AtomicInteger();
        return ByteOrigin.playing(origin -> {
            while (origin.request() != null) {
                if (first.getAndIncrement() == 0) {
                    origin.reset();
                }
                origin.send(OK);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 65_536})
    void areIdempotentAndHaveASmallBody(int bytes) throws IOException {
        String body = "x".repeat(bytes);
        try (var proxy = ProxyBed.start(resettingOnce())) {
            assertThat(proxy.exchange(request("PUT", "/", "Content-Length: " + bytes) + body).status())
                    .isEqualTo(200);
            assertThat(proxy.origin().requests()).hasSize(2)
                    .allMatch(sent -> sent.endsWith("\r\n\r\n" + body));
            assertThat(proxy.upstream().retries().begun()).isEqualTo(1);
        }
    }

    @Test
    void areIdempotentAndHaveASmallBodyInChunks() throws IOException {
        try (var proxy = ProxyBed.start(resettingOnce())) {
            String put = request("PUT", "/", "Transfer-Encoding: chunked");
            assertThat(proxy.exchange(put + "3\r\nabc\r\n0\r\nX-A: 1\r\n\r\n").status()).isEqualTo(200);
            assertThat(proxy.origin().requests()).hasSize(2)
                    .allMatch(sent -> sent.endsWith("\r\n\r\n3\r\nabc\r\n0\r\nX-A: 1\r\n\r\n"));
        }
    }

    static Stream<String> unrepeatable() {
        return Stream.of(request("POST", "/"), request("PATCH", "/", "Content-Length: 1") + "a",
                request("PUT", "/", "Content-Length: 65537") + "x".repeat(65_537));
    }

    @ParameterizedTest
    @MethodSource("unrepeatable")
    void unrepeatableRequestsAreNotRetried(String request) throws IOException {
        try (var proxy = ProxyBed.start(resettingOnce())) {
            assertThat(proxy.exchange(request).status()).isEqualTo(502);
            assertThat(proxy.origin().requests()).hasSize(1);
            assertThat(proxy.upstream().retries().begun()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"H", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 103 Early Hints\r\n\r\n"})
    void doNotFollowAByteOfAResponse(String begin) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send(begin);
        })); RawClient client = proxy.connect().send(request("GET", "/"))) {
            RawClient.Answer answer = client.read();
            assertThat((answer.status() == 103 ? client.read() : answer).status()).isEqualTo(502);
            assertThat(proxy.origin().requests()).hasSize(1);
        }
    }

    /** Servers respond like this before they stop. The handshake of a WebSocket is retried, too. */
    @ParameterizedTest
    @CsvSource({"GET, ''", "PUT, ''", "GET, 'Connection: Upgrade, Upgrade: websocket, Sec-WebSocket-Key: a'"})
    void goToAnotherEndpointIfOneIsUnavailableAndCloses(String method, String fields) throws IOException {
        String request = request(method, "/", fields.isEmpty() ? new String[0] : fields.split(", "));
        try (var proxy = ProxyBed.start(ByteOrigin.answering(UNAVAILABLE), ByteOrigin.answering(OK))) {
            while (proxy.upstream().retries().begun() < 3) {
                assertThat(proxy.exchange(request).status()).isEqualTo(200);
            }
            assertThat(proxy.origin().requests()).hasSize(3);
            assertThat(proxy.upstream().endpoints()).extracting(EndpointStats::state)
                    .containsOnly(EndpointStats.State.UP);
        }
    }

    static Stream<Arguments> unavailable() {
        return Stream.of(Arguments.of("GET", UNAVAILABLE.replace("close", "keep-alive"), ""),
                Arguments.of("POST", UNAVAILABLE, ""), Arguments.of("GET", UNAVAILABLE, NO_RETRIES),
                Arguments.of("GET", UNAVAILABLE.replace("503", "500"), ""));
    }

    @ParameterizedTest
    @MethodSource("unavailable")
    void only503WithCloseIsRetried(String method, String response, String settings) throws IOException {
        try (var proxy = ProxyBed.start(settings, ByteOrigin.answering(response), ByteOrigin.answering(OK))) {
            int status = 200;
            while (status == 200) {
                status = proxy.exchange(request(method, "/")).status();
            }
            assertThat(status).isIn(500, 503);
            assertThat(proxy.origin().requests()).hasSize(1);
            assertThat(proxy.upstream().retries().begun()).isZero();
        }
    }

    @Test
    void doNotGoToTheOnlyEndpointAgain() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(UNAVAILABLE))) {
            assertThat(proxy.get("/").status()).isEqualTo(503);
            assertThat(proxy.get("/").body()).isEqualTo("later");
            assertThat(proxy.origin().requests()).hasSize(2);
            assertThat(proxy.upstream().retries().begun()).isZero();
        }
    }

    @Test
    void retriesAreLimitedByABudget() throws Exception {
        int all = 20;
        var number = new AtomicInteger();
        var come = new CountDownLatch(all);
        var failed = new CountDownLatch(1);
        String patient = "sluice.upstreams.origin.circuit.failures = 100";
        try (var proxy = ProxyBed.start(patient, ByteOrigin.playing(origin -> {
            boolean breaks = number.incrementAndGet() <= all;
            origin.request();
            if (breaks) {
                come.countDown();
                come.await();
                origin.reset();
            }
            failed.await();
            origin.send(OK);
        }))) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < all; i++) {
                clients.add(proxy.connect().send(request("GET", "/")));
            }
            await().until(() -> proxy.upstream().retries().refused() == all - 3);
            assertThat(proxy.upstream().retries().begun()).isEqualTo(3);
            failed.countDown();
            var statuses = new ArrayList<Integer>();
            for (RawClient client : clients) {
                statuses.add(client.read().status());
                client.close();
            }
            assertThat(statuses).filteredOn(status -> status == 200).hasSize(3);
            assertThat(statuses).filteredOn(status -> status == 502).hasSize(all - 3);
            assertThat(proxy.get("/").status()).isEqualTo(200);
        }
    }

    /** Many clients are affected at once if a server with many connections stops. */
    @Test
    void needNoBudgetIfNoConnectionCouldBeOpened() throws IOException {
        int all = 20;
        var come = new CountDownLatch(all);
        String patient = "sluice.upstreams.origin.circuit.failures = 100";
        try (var proxy = ProxyBed.start(patient, ByteOrigin.playing(origin -> {
            origin.request();
            come.countDown();
            come.await();
            origin.send(OK);
        }), ByteOrigin.gone())) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < all; i++) {
                clients.add(proxy.connect().send(request("GET", "/")));
            }
            for (RawClient client : clients) {
                assertThat(client.read().status()).isEqualTo(200);
                client.close();
            }
            assertThat(proxy.upstream().retries().begun()).isZero();
        }
    }

    @Test
    void endWithTheDeadline() throws IOException {
        var first = new AtomicInteger();
        String deadline = "sluice.upstreams.origin.deadline = 300ms";
        try (var proxy = ProxyBed.start(deadline, ByteOrigin.playing(origin -> {
            origin.request();
            if (first.getAndIncrement() == 0) {
                origin.reset();
            }
            origin.drain();
        }))) {
            await().until(() -> { // on a busy machine, the deadline may come before the second attempt
                first.set(0);
                int before = proxy.origin().requests().size();
                assertThat(proxy.get("/").status()).isEqualTo(504);
                await().until(() -> proxy.origin().open() == 0);
                return proxy.origin().requests().size() == before + 2;
            });
        }
    }
}
