package io.sluice.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.routing.Route;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.TunnelConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;

/** A server whose only route opens an echoing tunnel. */
abstract class TunnelTestBed {
    @Parameter
    Http http;

    final LinkedBlockingQueue<Exchange> waiting = new LinkedBlockingQueue<>();
    boolean halfClose;
    Optional<Duration> idleTimeout = Optional.empty();
    String failsIn = "";
    final EchoTunnel tunnel = new EchoTunnel() {
        @Override
        public void opened(TunnelConnection opened) {
            super.opened(opened);
            if (pauses) {
                opened.pause();
            }
            fail("opened");
        }

        @Override
        public boolean allowsHalfClose() {
            return halfClose;
        }

        @Override
        public Optional<Duration> idleTimeout() {
            fail("idle timeout");
            return idleTimeout;
        }

        @Override
        public void writable() {
            writable.incrementAndGet();
        }

        @Override
        public void inputClosed() {
            super.inputClosed();
            fail("input closed");
        }

        @Override
        public void drain() {
            super.drain();
            fail("drain");
        }
    };
    final AtomicInteger writable = new AtomicInteger();
    boolean waits;
    boolean pauses;
    Route route;
    HandlerServer server;

    @BeforeEach
    void start() {
        route = HandlerServer.route("/", exchange -> {
            if (waits) {
                waiting.add(exchange);
            } else {
                exchange.onResponse(_ -> fail("answer"));
                tunnel.accept(exchange);
            }
        });
        server = HandlerServer.withClock(Map.of(), route);
    }

    private void fail(String step) {
        if (step.equals(failsIn)) {
            throw new IllegalStateException("a test's");
        }
    }

    @AfterEach
    void stop() {
        server.close();
        assertThat(tunnel.isSilent()).isTrue();
        assertThat(server.connections().tunnels().open()).isZero();
        assertThat(route.tunnels().count()).isZero();
    }

    TunnelClient open() throws Exception {
        TunnelClient client = TunnelClient.open(http, server.port());
        assertThat(tunnel.next()).isEqualTo("opened");
        return client;
    }

    void assertClosed() throws InterruptedException {
        assertThat(tunnel.next()).isEqualTo("closed");
    }
}
