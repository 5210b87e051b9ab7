package io.sluice.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import io.sluice.handlers.upstream.EndpointStats;
import io.sluice.handlers.upstream.EndpointStats.State;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Active health checks, which detect failures without requests of clients. */
@Timeout(300)
class HealthChecksIT {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private static String config(String keys, String... urls) {
        return """
                sluice {
                  upstreams.shop {
                    endpoints = ["%s"]
                    health { path = "/healthz?deep=1", interval = 100ms, timeout = 10s, %s }
                  }
                  routes.proxy { path = "/**", handler = proxy, upstream = shop }
                }
                """.formatted(String.join("\", \"", urls), keys);
    }

    private static void awaitStates(RunningGateway gateway, State... states) {
        await().atMost(LIMIT).untilAsserted(() ->
                assertThat(gateway.upstream("shop").endpoints()).extracting(EndpointStats::state)
                        .containsExactly(states));
    }

    /** The failure is the status of the check, or 0 for a reset connection. */
    @ParameterizedTest
    @CsvSource({"503", "404", "0"})
    void takeAnEndpointOutAndBackIn(String failure) throws Exception {
        var health = new AtomicReference<>("200");
        try (Origin checked = Origin.start("checked", head -> !head.startsWith("GET /healthz") ? "checked"
                : health.get().equals("0") ? null : health.get());
                Origin other = Origin.start("other");
                var gateway = RunningGateway.start(config("", checked.url(), other.url()))) {
            awaitStates(gateway, State.UP, State.UP);
            health.set(failure);
            awaitStates(gateway, State.DOWN, State.UP);
            for (int i = 0; i < 20; i++) {
                assertThat(gateway.get("/").body()).isEqualTo("other");
            }
            health.set("302");
            awaitStates(gateway, State.UP, State.UP);
            await().atMost(LIMIT).until(() -> gateway.get("/").body().equals("checked"));
            assertThat(checked.heads().getFirst()).startsWith("GET /healthz?deep=1 HTTP/1.1\r\n")
                    .containsIgnoringCase("\r\nhost: 127.0.0.1:" + checked.port() + "\r\n");
        }
    }

    @Test
    void failIfNoResponseComesInTime() throws Exception {
        var never = new CountDownLatch(1);
        try (Origin silent = Origin.start("silent", _ -> {
            never.await();
            return "late";
        }); var gateway = RunningGateway.start(config("timeout = 50ms", silent.url()))) {
            awaitStates(gateway, State.DOWN);
        } finally {
            never.countDown();
        }
    }

    /** The check succeeds long before the back-off would end. */
    @Test
    void bringAnEndpointBackThatRefusedConnections() throws Exception {
        int port = RunningGateway.freePort();
        try (Origin other = Origin.start("other");
                var gateway = RunningGateway.start(config("", "http://127.0.0.1:" + port, other.url()))) {
            awaitStates(gateway, State.DOWN, State.UP);
            try (var _ = new Origin("back", "127.0.0.1", port, false, _ -> "back")) {
                awaitStates(gateway, State.UP, State.UP);
            }
        }
    }

    @Test
    void endWithTheirUpstreamAndNotWithAReloadThatKeepsIt() throws Exception {
        try (Origin checked = Origin.start("checked"); Origin other = Origin.start("other");
                var gateway = RunningGateway.start(config("", checked.url()))) {
            awaitStates(gateway, State.UP);
            var upstream = gateway.upstream("shop");
            String others = """
                    sluice.upstreams.others {
                      endpoints = ["%s"], health { path = /healthz, interval = 100ms, timeout = 10s }
                    }
                    sluice.routes.others { path = /others, handler = proxy, upstream = others }
                    """.formatted(other.url());
            gateway.reload(config("", checked.url()) + others);
            assertThat(gateway.upstream("shop")).isSameAs(upstream);
            int checks = checked.heads().size();
            await().atMost(LIMIT).until(() -> checked.heads().size() > checks + 1);

            gateway.reload(others);
            await().atMost(LIMIT).until(() -> {
                int before = checked.connections();
                int otherChecks = other.heads().size();
                await().atMost(LIMIT).until(() -> other.heads().size() > otherChecks + 5);
                return checked.connections() == before && checked.openConnections() == 0;
            });
        }
    }
}
