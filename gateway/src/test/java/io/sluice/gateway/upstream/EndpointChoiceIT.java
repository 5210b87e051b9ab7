package io.sluice.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Configuration keys for the choice of a request's endpoint and connection. */
@Timeout(300)
class EndpointChoiceIT {

    private static RunningGateway gateway(String keys, Origin... origins) {
        return RunningGateway.start(config(keys, origins));
    }

    private static String config(String keys, Origin... origins) {
        var urls = new StringBuilder();
        for (Origin origin : origins) {
            urls.append('"').append(origin.url()).append("\",");
        }
        return """
                sluice {
                  server.worker-threads = 1
                  upstreams.shop { endpoints = [%s], %s }
                  routes.proxy { path = "/**", handler = proxy, upstream = shop }
                  routes.poll { path = /poll, handler = proxy, upstream = shop }
                }
                """.formatted(urls, keys);
    }

    @ParameterizedTest
    @CsvSource({"header X-User, X-User: %s", "cookie sid, Cookie: other=x; sid=%s; more=y"})
    void hashesByHeaderOrCookie(String by, String field) throws Exception {
        try (Origin one = Origin.start("one"); Origin two = Origin.start("two");
                var gateway = gateway("balance = hash, hash-by = \"%s\"".formatted(by), one, two)) {
            Set<String> all = new HashSet<>();
            for (int user = 0; user < 20; user++) {
                String[] header = field.formatted("u" + user).split(": ");
                Set<String> bodies = new HashSet<>();
                for (int i = 0; i < 5; i++) {
                    bodies.add(gateway.send(gateway.request("/").header(header[0], header[1])).body());
                }
                assertThat(bodies).hasSize(1);
                all.addAll(bodies);
            }
            assertThat(all).containsExactlyInAnyOrder("one", "two");
        }
    }

    @Test
    void hashesTheClientsAddress() throws Exception {
        try (Origin one = Origin.start("one"); Origin two = Origin.start("two");
                var gateway = gateway("balance = hash", one, two)) {
            Set<String> bodies = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                bodies.add(gateway.get("/").body());
            }
            assertThat(bodies).hasSize(1);
        }
    }

    @Test
    void doesNotTakeALongPollOfAnotherRouteForASlowEndpoint() throws Exception {
        var polled = new ArrayBlockingQueue<String>(1);
        var news = new CountDownLatch(1);
        Function<String, Origin.Answers> polling = name -> head -> {
            if (head.startsWith("GET /poll ")) {
                polled.add(name);
                news.await();
            }
            return name;
        };
        try (Origin one = Origin.start("one", polling.apply("one"));
                Origin two = Origin.start("two", polling.apply("two")); var gateway = gateway("", one, two);
                RawClient poll = gateway.connect()) {
            poll.send("GET /poll HTTP/1.1\r\nHost: x\r\n\r\n");
            String busy = polled.take();
            for (int i = 0; i < 20; i++) {
                gateway.get("/");
            }
            news.countDown();
            assertThat(poll.read().body()).isEqualTo(busy);
            Set<String> bodies = new HashSet<>();
            for (int i = 0; i < 40; i++) {
                bodies.add(gateway.get("/").body());
            }
            assertThat(bodies).contains(busy);
        }
    }

    @Test
    void keepsAnIdleConnectionOverAReload() throws Exception {
        try (Origin origin = Origin.start("origin"); var gateway = gateway("", origin)) {
            assertThat(gateway.get("/").body()).isEqualTo("origin");
            gateway.reload(config("", origin) + "sluice.routes.t { path = /t, handler = text, text = x }");
            assertThat(gateway.get("/t").body()).isEqualTo("x");
            assertThat(gateway.get("/").body()).isEqualTo("origin");
            assertThat(origin.connections()).isEqualTo(1);
        }
    }

    /**
     * The header has: signature, PROXY, TCP over IPv4, a length of 12, twice 127.0.0.1, and the client's
     * port.
     */
    @Test
    void tellsTheClientsAddressAndSharesNoConnection() throws Exception {
        try (var origin = new Origin("origin", "127.0.0.1", 0, true, _ -> "origin");
                var gateway = gateway("proxy-protocol = true, health { interval = 1h }", origin);
                RawClient one = gateway.connect(); RawClient two = gateway.connect()) {
            await().until(() -> origin.heads().size() == 1);
            assertThat(origin.heads().getFirst()).startsWith("0d0a0d0a000d0a515549540a20000000\nGET / ");
            for (int i = 0; i < 3; i++) {
                for (RawClient client : new RawClient[] {one, two}) {
                    client.send("GET /x HTTP/1.1\r\nHost: x\r\n\r\n");
                    assertThat(client.read().body()).isEqualTo("origin");
                }
            }
            assertThat(origin.connections()).isEqualTo(3);
            List<String> heads = origin.heads().subList(1, 7);
            assertThat(heads).allMatch(head ->
                    head.startsWith("0d0a0d0a000d0a515549540a2111000c7f0000017f000001"));
            assertThat(heads).extracting(head -> head.substring(48, 52))
                    .containsOnly(port(one), port(two));
        }
    }

    private static String port(RawClient client) {
        return "%04x".formatted(client.socket().getLocalPort());
    }
}
