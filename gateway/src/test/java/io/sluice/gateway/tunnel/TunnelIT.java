package io.sluice.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.handlers.Exchange;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A tunnel from its answer to its end, over both versions of HTTP. */
@ParameterizedClass
@EnumSource(Http.class)
class TunnelIT extends TunnelTestBed {
    @Test
    void carriesBytesBothWays() throws Exception {
        try (TunnelClient client = open()) {
            assertThat(client.send("hello").read(5)).isEqualTo("hello");
            assertThat(client.send("\r\n\r\n").read(4)).isEqualTo("\r\n\r\n");
            assertThat(server.connections().tunnels().open()).isOne();
            assertThat(server.ended()).singleElement()
                    .matches(ended -> ended.status() == (http == Http.HTTP_2 ? 200 : 101));
        }
        assertClosed();
        assertThat(server.connections().tunnels().opened()).isOne();
    }

    @Test
    void responseHeadAnnouncesTheUpgrade() throws Exception {
        try (TunnelClient client = new TunnelClient(http.connect(server.port(), 0)).ask()) {
            assertThat(client.head().toLowerCase().lines())
                    .anyMatch(line -> line.startsWith("x-request-id: "))
                    .noneMatch(line ->
                            line.startsWith("content-length") || line.startsWith("transfer-encoding"))
                    .filteredOn(line -> line.contains("upgrade"))
                    .hasSize(http == Http.HTTP_2 ? 0 : 2);
            assertThat(tunnel.next()).isEqualTo("opened");
        }
        assertClosed();
    }

    @Test
    void bytesBeforeTheOpeningAreDelivered() throws Exception {
        waits = true;
        try (TunnelClient client = new TunnelClient(http.connect(server.port(), 0)).ask().send("early")) {
            Exchange exchange = waiting.poll(30, TimeUnit.SECONDS);
            server.settle();
            exchange.eventLoop().execute(() -> tunnel.accept(exchange));
            client.head();
            assertThat(tunnel.next()).isEqualTo("opened");
            assertThat(client.read(5)).isEqualTo("early");
        }
        assertClosed();
    }

    @Test
    void tunnelPausedOnOpeningReadsNothing() throws Exception {
        waits = true;
        pauses = true;
        try (TunnelClient client = new TunnelClient(http.connect(server.port(), 0)).ask().send("early")) {
            Exchange exchange = waiting.poll(30, TimeUnit.SECONDS);
            server.settle();
            exchange.eventLoop().execute(() -> tunnel.accept(exchange));
            client.head();
            assertThat(tunnel.next()).isEqualTo("opened");
            client.send(" and late");
            server.settle();
            assertThat(tunnel.received()).isEmpty();

            tunnel.run(tunnel.connection()::resume);
            assertThat(client.read(14)).isEqualTo("early and late");
        }
        assertClosed();
    }

    // --- half-closed tunnels

    @Test
    void sendsOnWhenTheClientHasClosedItsHalf() throws Exception {
        halfClose = true;
        try (TunnelClient client = open()) {
            client.send("all").shutdownOutput();
            assertThat(tunnel.next()).isEqualTo("input closed");
            assertThat(tunnel.received()).isEqualTo("all");
            assertThat(client.read(3)).isEqualTo("all");
            tunnel.run(() -> tunnel.send("and more"));
            tunnel.run(tunnel.connection()::shutdownOutput);

            assertThat(client.readAll()).isEqualTo("and more");
            assertClosed();
        }
    }

    @Test
    void halfCloseIsReportedBehindTheLastByte() throws Exception {
        halfClose = true;
        try (TunnelClient client = open()) {
            tunnel.run(tunnel.connection()::pause);
            client.send("all").shutdownOutput();
            server.settle();
            assertThat(tunnel.isSilent()).isTrue();

            tunnel.run(tunnel.connection()::resume);
            assertThat(tunnel.next()).isEqualTo("input closed");
            assertThat(tunnel.received()).isEqualTo("all");
            tunnel.run(tunnel.connection()::close);
            assertThat(client.readAll()).isEqualTo("all");
            assertClosed();
        }
    }

    @Test
    void receivesOnWhenItHasClosedItsHalf() throws Exception {
        halfClose = true;
        try (TunnelClient client = open()) {
            tunnel.run(() -> {
                tunnel.send("last");
                tunnel.connection().shutdownOutput();
                tunnel.send("dropped");
            });
            assertThat(client.readAll()).isEqualTo("last");
            client.send("still").send(" here").shutdownOutput();

            assertThat(tunnel.next()).isEqualTo("input closed");
            assertThat(tunnel.received()).isEqualTo("still here");
            assertClosed();
        }
    }

    @Test
    void isClosedWithTheClientsHalfWhereHalvesAreNotAllowed() throws Exception {
        try (TunnelClient client = open()) {
            client.send("all").shutdownOutput();
            assertThat(client.readAll()).isEqualTo("all");
            assertClosed();
            assertThat(tunnel.received()).isEqualTo("all");
        }
    }

    // --- end

    @Test
    void closedTunnelLingersAndDropsInput() throws Exception {
        try (TunnelClient client = open()) {
            tunnel.run(() -> {
                tunnel.send("bye");
                tunnel.connection().close();
            });
            assertThat(client.readAll()).isEqualTo("bye");
            client.send("dropped");
            server.pass(Duration.ofMillis(1_900));
            assertThat(tunnel.isSilent()).isTrue();

            server.pass(Duration.ofMillis(200));
            assertClosed();
            assertThat(tunnel.received()).isEmpty();
        }
    }

    @Test
    void isClosedWhenTheClientHasClosedToo() throws Exception {
        try (TunnelClient client = open()) {
            tunnel.run(tunnel.connection()::shutdownOutput);
            tunnel.run(tunnel.connection()::close);
            assertThat(client.readAll()).isEmpty();
            client.shutdownOutput();
            assertClosed();
        }
    }

    @Test
    void canResetItsConnection() throws Exception {
        try (TunnelClient client = open()) {
            tunnel.run(tunnel.connection()::reset);
            assertThat(client.readAll()).isNull();
            assertClosed();
        }
    }

    @Test
    void isClosedByAResetOfItsClient() throws Exception {
        open().reset();
        assertClosed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"opened", "input closed", "drain"})
    void isResetWhereItFails(String step) throws Exception {
        failsIn = step;
        halfClose = true;
        try (TunnelClient client = new TunnelClient(http.connect(server.port(), 0)).ask()) {
            assertThat(tunnel.next()).isEqualTo("opened");
            if (step.equals("input closed")) {
                client.shutdownOutput();
                assertThat(tunnel.next()).isEqualTo(step);
            } else if (step.equals("drain")) {
                server.connections().drain(Duration.ZERO);
                server.pass(Duration.ofMillis(1));
                assertThat(tunnel.next()).isEqualTo(step);
            }
            assertThat(client.readAll()).satisfiesAnyOf(all -> assertThat(all).isNull(),
                    all -> assertThat(all).startsWith("HTTP/").endsWith("\r\n\r\n"));
            assertClosed();
        }
    }

    @Test
    void isResetWhereItCannotBeSetUp() throws Exception {
        failsIn = "idle timeout";
        try (TunnelClient client = new TunnelClient(http.connect(server.port(), 0)).ask()) {
            assertThat(client.readAll()).satisfiesAnyOf(all -> assertThat(all).isNull(),
                    all -> assertThat(all).startsWith("HTTP/").endsWith("\r\n\r\n"));
            assertClosed();
        }
    }

    @Test
    void isNotOpenedWhereItsAnswerCannotBeEdited() throws Exception {
        failsIn = "answer";
        try (TunnelClient client = new TunnelClient(http.connect(server.port(), 0)).ask()) {
            assertThat(tunnel.next()).isEqualTo("aborted");
            assertThat(client.readAll()).isNull();
            assertThat(server.ended()).singleElement().matches(ended -> ended.status() == 500);
        }
    }
}
