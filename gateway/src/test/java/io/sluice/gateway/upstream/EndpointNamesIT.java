package io.sluice.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.logging.LoggedEvents;
import io.sluice.handlers.upstream.EndpointStats;
import io.sluice.handlers.upstream.EndpointStats.State;
import io.sluice.handlers.upstream.names.NameWatch;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Endpoints whose addresses are looked up by name, at a DNS server of the test. */
@EnabledOnOs(OS.LINUX) // only Linux has more loopback addresses than 127.0.0.1
class EndpointNamesIT {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    /** So many that one after the other would take much longer than a busy machine may add. */
    private static final int MANY = 60;

    private static RunningGateway gateway(String keys, DnsServer dns) {
        return gateway("%s, dns-servers = [\"127.0.0.1:%d\"]".formatted(keys, dns.port()));
    }

    private static RunningGateway gateway(String keys) {
        return RunningGateway.start(config(keys));
    }

    private static String config(String keys) {
        return """
                sluice {
                  upstreams.shop { %s }
                  routes.proxy { path = "/**", handler = proxy, upstream = shop }
                }
                """.formatted(keys);
    }

    private static RunningGateway gateway(int port, DnsServer dns) {
        return gateway("slow-start = 300s, dns = \"http://shop.test:%d\"".formatted(port), dns);
    }

    private static Origin at(String address, int port) throws IOException {
        return new Origin(address, address, port, false, _ -> address);
    }

    private static Set<String> bodies(RunningGateway gateway, int times) throws Exception {
        var bodies = new HashSet<String>();
        for (int i = 0; i < times; i++) {
            bodies.add(gateway.get("/").body());
        }
        return bodies;
    }

    private static List<String> addresses(RunningGateway gateway) {
        return gateway.upstream("shop").endpoints().stream().filter(stats -> stats.state() == State.UP)
                .map(EndpointStats::address).toList();
    }

    private static void awaitAddresses(RunningGateway gateway, int port, String... addresses) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(addresses(gateway)).containsExactlyElementsOf(
                Stream.of(addresses).map(address -> address + ":" + port).toList()));
    }

    @Test
    void useEachAddressAndFollowChanges() throws Exception {
        try (var dns = new DnsServer("127.0.0.2", "127.0.0.3"); Origin two = at("127.0.0.2", 0);
                Origin three = at("127.0.0.3", two.port()); Origin four = at("127.0.0.4", two.port());
                var gateway = gateway(two.port(), dns)) {
            awaitAddresses(gateway, two.port(), "127.0.0.2", "127.0.0.3");
            assertThat(bodies(gateway, 50)).containsExactlyInAnyOrder("127.0.0.2", "127.0.0.3");

            dns.addresses("127.0.0.3", "127.0.0.4");
            awaitAddresses(gateway, two.port(), "127.0.0.3", "127.0.0.4");
            int before = two.heads().size();
            assertThat(bodies(gateway, 50)).contains("127.0.0.3");
            assertThat(two.heads()).hasSize(before);
            await().atMost(LIMIT).untilAsserted(() -> assertThat(two.openConnections()).isZero());
            assertThat(three.openConnections()).isPositive();
            assertThat(gateway.upstream("shop").endpoints()).filteredOn(stats -> stats.share() < 1)
                    .extracting(EndpointStats::address).containsExactly("127.0.0.4:" + four.port());
        }
    }

    @Test
    void forgetTheTimesOfAVanishedAddressWithoutAScrape() throws Exception {
        try (var dns = new DnsServer("127.0.0.2"); Origin two = at("127.0.0.2", 0);
                var gateway = gateway(two.port(), dns)) {
            awaitAddresses(gateway, two.port(), "127.0.0.2");
            assertThat(gateway.get("/").body()).isEqualTo("127.0.0.2");
            dns.addresses("127.0.0.3");
            awaitAddresses(gateway, two.port(), "127.0.0.3");
            dns.addresses("127.0.0.2");
            awaitAddresses(gateway, two.port(), "127.0.0.2");

            assertThat(gateway.getAdmin("/metrics").body()).contains(
                    ("sluice_upstream_first_byte_seconds_count{"
                            + "endpoint=\"http://shop.test:%1$d (127.0.0.2:%1$d)\",upstream=\"shop\"} 0\n")
                            .formatted(two.port()));
        }
    }

    @Test
    void letRequestsToAVanishedAddressFinish() throws Exception {
        var answered = new CountDownLatch(1);
        try (var dns = new DnsServer("127.0.0.2");
                Origin two = new Origin("two", "127.0.0.2", 0, false, _ -> {
                    answered.await();
                    return "late";
                });
                Origin three = at("127.0.0.3", two.port()); var gateway = gateway(two.port(), dns)) {
            var late = gateway.client().sendAsync(gateway.request("/").build(),
                    HttpResponse.BodyHandlers.ofString());
            await().atMost(LIMIT).until(() -> two.heads().size() == 1);
            dns.addresses("127.0.0.3");
            await().atMost(LIMIT).untilAsserted(() ->
                    assertThat(gateway.upstream("shop").endpoints()).extracting(EndpointStats::state)
                            .containsExactly(State.DRAINING, State.UP));
            assertThat(gateway.get("/").body()).isEqualTo("127.0.0.3");
            answered.countDown();

            assertThat(late.get().body()).isEqualTo("late");
            await().atMost(LIMIT).untilAsserted(() -> assertThat(two.openConnections()).isZero());
            await().atMost(LIMIT).untilAsserted(() ->
                    assertThat(gateway.upstream("shop").endpoints()).extracting(EndpointStats::state)
                            .containsExactly(State.UP));
            assertThat(three.connections()).isEqualTo(1);
        } finally {
            answered.countDown();
        }
    }

    @Test
    void keepTheLastAddressesWhileLookUpsFail() throws Exception {
        var warnings = new LoggedEvents();
        warnings.start();
        var logger = (Logger) LoggerFactory.getLogger(NameWatch.class);
        logger.addAppender(warnings);
        try (var dns = new DnsServer("127.0.0.2"); Origin two = at("127.0.0.2", 0);
                var gateway = gateway(two.port(), dns)) {
            awaitAddresses(gateway, two.port(), "127.0.0.2");
            assertThat(gateway.get("/").body()).isEqualTo("127.0.0.2");
            dns.failing(true);
            int queries = dns.queries();
            await().atMost(LIMIT).until(() -> dns.queries() > queries + 4);
            assertThat(gateway.get("/").body()).isEqualTo("127.0.0.2");
            assertThat(warnings.list).hasSizeLessThanOrEqualTo(1);

            dns.failing(false);
            dns.addresses("127.0.0.3");
            awaitAddresses(gateway, two.port(), "127.0.0.3");
        } finally {
            logger.detachAppender(warnings);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dns = \"http://shop.test:%d\"", "endpoints = [\"http://shop.test:%d\"]"})
    void areKeptByAReloadWhileLookUpsFail(String endpoints) throws Exception {
        String keys = endpoints + ", concurrency = %d, dns-servers = [\"127.0.0.1:%d\"]";
        try (var dns = new DnsServer("127.0.0.2"); Origin two = at("127.0.0.2", 0);
                Origin three = at("127.0.0.3", two.port());
                var gateway = gateway(keys.formatted(two.port(), 10, dns.port()))) {
            assertThat(gateway.get("/").body()).isEqualTo("127.0.0.2");
            dns.failing(true);
            for (int concurrency = 11; concurrency < 13; concurrency++) {
                gateway.reload(config(keys.formatted(two.port(), concurrency, dns.port())));
                assertThat(gateway.get("/").body()).isEqualTo("127.0.0.2");
            }

            dns.failing(false);
            dns.addresses("127.0.0.3");
            await().atMost(LIMIT).until(() -> gateway.get("/").body().equals("127.0.0.3"));
            assertThat(three.connections()).isPositive();
        }
    }

    /** The resolver answers with the addresses of IPv6 only, which no endpoint uses beside those of IPv4. */
    @Test
    void keepTheAddressesOfAKindWhoseLookUpFails() throws Exception {
        try (var dns = new DnsServer("127.0.0.2", "::1"); Origin two = at("127.0.0.2", 0);
                var gateway = gateway(two.port(), dns)) {
            awaitAddresses(gateway, two.port(), "127.0.0.2");
            dns.failing(DnsServer.A);
            int queries = dns.queries();
            await().atMost(LIMIT).until(() -> dns.queries() > queries + 6);

            assertThat(addresses(gateway)).containsExactly("127.0.0.2:" + two.port());
            assertThat(gateway.get("/").body()).isEqualTo("127.0.0.2");
        }
    }

    @Test
    void areUnavailableUntilTheFirstAddressIsKnown() throws Exception {
        try (var dns = new DnsServer(); Origin two = at("127.0.0.2", 0);
                var gateway = gateway(two.port(), dns)) {
            HttpResponse<String> refused = gateway.get("/");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();

            dns.addresses("127.0.0.2");
            await().atMost(LIMIT).until(() -> gateway.get("/").statusCode() == 200);
        }
    }

    /** All servers are silent, and are asked one after the other. */
    @Test
    void delayAReloadByASecondHoweverManyAreUnknown() throws Exception {
        try (var silent = new DatagramSocket(0)) {
            String upstreams = IntStream.range(0, MANY).mapToObj(i -> """
                    sluice.upstreams.shop%d { dns = "http://shop%1$d.test"
                      dns-servers = ["127.0.0.1:%2$d", "127.0.0.2:%2$d", "127.0.0.3:%2$d", "127.0.0.4:%2$d"] }
                    """.formatted(i, silent.getLocalPort())).collect(Collectors.joining());
            try (var gateway = RunningGateway.start("")) {
                long begun = System.nanoTime();
                gateway.reload(upstreams);
                assertThat(Duration.ofNanos(System.nanoTime() - begun))
                        .isLessThan(Duration.ofSeconds(MANY / 2));
            }
        }
    }

    /** A server may listen on one of its addresses only, as is common for localhost. */
    @Test
    void inTheListAreOneEndpointEachThatTriesTheNextAddress() throws Exception {
        try (var dns = new DnsServer("127.0.0.3", "127.0.0.2"); Origin two = at("127.0.0.2", 0);
                var gateway = gateway("endpoints = [\"http://shop.test:%d\"]".formatted(two.port()), dns)) {
            assertThat(bodies(gateway, 20)).containsExactly("127.0.0.2");
            assertThat(gateway.upstream("shop").endpoints()).extracting(EndpointStats::state)
                    .containsExactly(State.UP);
        }
    }

    /** Without a request, which would move on from the address that refuses it. */
    @Test
    void areCheckedAtTheNextAddressIfOneRefuses() throws Exception {
        try (var dns = new DnsServer("127.0.0.3", "127.0.0.2"); Origin two = at("127.0.0.2", 0);
                var gateway = gateway("""
                        endpoints = ["http://shop.test:%d"]
                        health { interval = 100ms, down-after = 1, up-after = 1 }
                        """.formatted(two.port()), dns)) {
            awaitAddresses(gateway, two.port(), "127.0.0.2");
        }
    }

    @Test
    void comeFromTheHostsFileFirst() throws Exception {
        try (var dns = new DnsServer("127.0.0.9"); Origin here = at("127.0.0.1", 0);
                var gateway = gateway("dns = \"http://localhost:%d\"".formatted(here.port()), dns)) {
            assertThat(bodies(gateway, 20)).containsExactly("127.0.0.1");
            assertThat(dns.queries()).isZero();
        }
    }

    @Test
    void areNotLookedUpAfterTheUpstreamIsGone() throws Exception {
        try (var dns = new DnsServer("127.0.0.2"); Origin two = at("127.0.0.2", 0);
                var gateway = gateway(two.port(), dns)) {
            awaitAddresses(gateway, two.port(), "127.0.0.2");
            assertThat(gateway.get("/").body()).isEqualTo("127.0.0.2");
            gateway.reload("sluice.routes.t { path = /t, handler = text, text = x }");
            await().atMost(LIMIT).untilAsserted(() -> assertThat(two.openConnections()).isZero());
            int queries = dns.queries();
            await().during(Duration.ofMillis(2500)).atMost(LIMIT)
                    .untilAsserted(() -> assertThat(dns.queries()).isEqualTo(queries));
        }
    }
}
