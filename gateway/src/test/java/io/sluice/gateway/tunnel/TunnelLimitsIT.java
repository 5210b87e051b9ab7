package io.sluice.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.handlers.Exchange;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Idle time, drain and back-pressure of a tunnel, over both versions of HTTP. */
@ParameterizedClass
@EnumSource(Http.class)
class TunnelLimitsIT extends TunnelTestBed {
    @Test
    void isClosedWhenIdleForTooLong() throws Exception {
        idleTimeout = Optional.of(Duration.ofSeconds(10));
        try (TunnelClient client = open()) {
            server.pass(Duration.ofSeconds(9));
            assertThat(client.send("a").read(1)).isEqualTo("a");
            server.pass(Duration.ofSeconds(9));
            tunnel.run(() -> tunnel.send("b"));
            assertThat(client.read(1)).isEqualTo("b");
            server.pass(Duration.ofSeconds(9));
            assertThat(tunnel.isSilent()).isTrue();

            server.pass(Duration.ofSeconds(1));
            assertThat(client.readAll()).isEmpty();
            client.shutdownOutput();
            assertClosed();
        }
    }

    @Test
    void isResetWhereAnIdleClientDoesNotReadItsRest() throws Exception {
        idleTimeout = Optional.of(Duration.ofSeconds(10));
        try (TunnelClient _ = open()) {
            tunnel.run(() -> tunnel.send("x".repeat(16 << 20)));
            server.pass(Duration.ofSeconds(29));
            assertThat(tunnel.isSilent()).isTrue();

            server.pass(Duration.ofSeconds(1));
            assertClosed();
        }
    }

    @Test
    void isNotIdleWhileItsClientReads() throws Exception {
        idleTimeout = Optional.of(Duration.ofSeconds(10));
        try (TunnelClient client = open()) {
            tunnel.run(() -> tunnel.send("x".repeat(4 << 20)));
            for (int i = 0; i < 8; i++) {
                client.read(256 << 10);
                server.pass(Duration.ofSeconds(5));
                assertThat(tunnel.isSilent()).isTrue();
            }
        }
        assertClosed();
    }

    /** The timeouts of requests do not apply to tunnels. */
    @Test
    void mayBeIdleForHours() throws Exception {
        try (TunnelClient client = open()) {
            server.pass(Duration.ofSeconds(1_000));
            assertThat(client.send("a").read(1)).isEqualTo("a");
        }
        assertClosed();
    }

    /** A reload that removes the route drains its tunnels like this. */
    @Test
    void isDrainedWithItsRouteWhenItsTurnHasCome() throws Exception {
        try (TunnelClient _ = open(); TunnelClient _ = open()) {
            assertThat(route.tunnels().count()).isEqualTo(2);
            route.tunnels().drain(Duration.ofSeconds(10));
            server.pass(Duration.ofSeconds(4));
            assertThat(tunnel.next()).isEqualTo("drain");
            assertThat(tunnel.isSilent()).isTrue();
            server.pass(Duration.ofSeconds(1));
            assertThat(tunnel.next()).isEqualTo("drain");
        }
        assertClosed();
        assertClosed();
    }

    @Test
    void isDrainedAtOnceWhereItsRouteWentBeforeItOpened() throws Exception {
        waits = true;
        try (TunnelClient client = new TunnelClient(http.connect(server.port(), 0)).ask()) {
            Exchange exchange = waiting.poll(30, TimeUnit.SECONDS);
            route.tunnels().drain(Duration.ofSeconds(10));
            exchange.eventLoop().execute(() -> tunnel.accept(exchange));
            client.head();
            assertThat(tunnel.next()).isEqualTo("opened");
            server.pass(Duration.ofMillis(1));
            assertThat(tunnel.next()).isEqualTo("drain");
        }
        assertClosed();
    }

    @Test
    void tunnelIsNotifiedOfDrainAndForcedClose() throws Exception {
        try (TunnelClient client = open()) {
            server.connections().drain(Duration.ZERO);
            server.pass(Duration.ofMillis(1));
            assertThat(tunnel.next()).isEqualTo("drain");
            server.pass(Duration.ofSeconds(10));
            assertThat(client.send("a").read(1)).isEqualTo("a");

            server.connections().closeAll();
            assertThat(tunnel.next()).isEqualTo("end");
            assertClosed();
        }
    }

    @Test
    void isNotOpenedWhileTheGatewayDrains() throws Exception {
        waits = true;
        try (TunnelClient client = new TunnelClient(http.connect(server.port(), 0)).ask()) {
            Exchange exchange = waiting.poll(30, TimeUnit.SECONDS);
            server.connections().drain(Duration.ZERO);
            exchange.eventLoop().execute(() -> tunnel.accept(exchange));

            assertThat(client.head()).contains(" 503 ");
            assertThat(tunnel.next()).isEqualTo("aborted");
        }
    }

    // --- back-pressure

    @Test
    void letsAClientWaitThatItDoesNotRead() throws Exception {
        int all = 8_000;
        var sent = new AtomicInteger();
        String kilobytes = IntStream.range(0, all).mapToObj("%01024d"::formatted)
                .collect(Collectors.joining());
        try (TunnelClient client = open()) {
            tunnel.run(tunnel.connection()::pause);
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    for (; sent.get() < all; sent.incrementAndGet()) {
                        client.send(kilobytes.substring(sent.get() << 10, sent.get() + 1 << 10));
                    }
                } catch (IOException e) {
                    sent.set(Integer.MIN_VALUE);
                }
            });
            var before = new AtomicInteger(-1);
            await().during(Duration.ofMillis(300)).until(
                    () -> sent.get() > 0 && before.getAndSet(sent.get()) == sent.get());
            assertThat(sent.get()).isBetween(1, 2_000);
            assertThat(tunnel.received()).isEmpty();

            tunnel.run(tunnel.connection()::resume);
            assertThat(client.read(kilobytes.length()).equals(kilobytes)).isTrue();
        }
        assertClosed();
    }

    @Test
    void isWritableAgainWhenTheClientReads() throws Exception {
        int all = 4 << 20;
        try (TunnelClient client = open()) {
            tunnel.run(() -> tunnel.send("x".repeat(all)));
            assertThat(tunnel.connection().isWritable()).isFalse();
            client.read(all);
            await().until(() -> writable.get() > 0);
            assertThat(tunnel.connection().isWritable()).isTrue();
        }
        assertClosed();
    }
}
