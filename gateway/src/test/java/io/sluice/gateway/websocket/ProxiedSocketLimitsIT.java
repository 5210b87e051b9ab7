package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.proxy.ByteOrigin;
import io.sluice.gateway.proxy.ProxyBed;
import io.sluice.gateway.tunnel.Http;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The ends of proxied WebSockets, from clients of HTTP/1.1 and HTTP/2, at an endpoint of bytes. */
@ParameterizedClass
@EnumSource
class ProxiedSocketLimitsIT {
    /** The length of last bytes in one direction; more than the buffers hold. */
    private static final int LATE = 300_000;

    @Parameter
    private Http http;

    private RawSocket open(ProxyBed proxy) throws Exception {
        return RawSocket.open(http, proxy.gateway().port(), "/ws");
    }

    @Test
    void areClosedAfterTunnelIdle() throws Exception {
        try (var proxy = ProxyBed.start("sluice.routes.all.tunnel-idle = 1s",
                ByteOrigin.playing(origin -> origin.send(origin.accepted()).drain()));
                RawSocket socket = open(proxy)) {
            assertThat(socket.readAll()).isEmpty();
            await().until(() -> proxy.origin().open() == 0);
        }
    }

    @Test
    void passTheEndOfTheClientOn() throws Exception {
        var read = new CompletableFuture<Long>();
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            read.complete(origin.send(origin.accepted()).drain());
            origin.send("x".repeat(LATE));
        })); RawSocket socket = open(proxy)) {
            socket.send("last").socket().shutdownOutput();
            assertThat(read.get(30, TimeUnit.SECONDS)).isEqualTo(4);
            assertThat(socket.readAll()).hasSize(LATE);
        }
    }

    @Test
    void passTheEndOfTheEndpointOn() throws Exception {
        var read = new CompletableFuture<String>();
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.send(origin.accepted() + "last").socket().shutdownOutput();
            read.complete(origin.read(LATE));
        })); RawSocket socket = open(proxy)) {
            assertThat(new String(socket.readAll(), StandardCharsets.US_ASCII)).isEqualTo("last");
            socket.send("x".repeat(LATE));
            assertThat(read.get(30, TimeUnit.SECONDS)).hasSize(LATE);
        }
    }

    /** A handshake is a GET, which is sent again if its connection breaks before the 101. */
    @Test
    void areNotOpenedAgain() throws Exception {
        ByteOrigin.Script breaking = origin -> origin.send(origin.accepted()).reset();
        try (var proxy = ProxyBed.start("sluice.upstreams.origin.retries = 3",
                ByteOrigin.playing(breaking)); RawSocket socket = open(proxy)) {
            assertThat(socket.readAll()).isEmpty();
            await().until(() -> proxy.gateway().getAdmin("/metrics").body().contains("sluice_tunnels 0.0"));
            assertThat(proxy.origin().connections()).isEqualTo(1);
        }
    }

    @Test
    void areDrainedOneAfterTheOther() throws Exception {
        var sockets = new ArrayList<RawSocket>();
        var ends = new ArrayList<CompletableFuture<Long>>();
        try (var proxy = ProxyBed.start("sluice.lifecycle.drain-timeout = 6s",
                ByteOrigin.playing(origin -> origin.send(origin.accepted()).drain()))) {
            for (int i = 0; i < 5; i++) {
                RawSocket socket = open(proxy);
                sockets.add(socket);
                ends.add(CompletableFuture.supplyAsync(() -> goneAway(socket), Thread::startVirtualThread));
            }
            proxy.gateway().stop();
            List<Long> times = ends.stream().map(CompletableFuture::join).sorted().toList();
            // Four fifths of the window, which is half of drain-timeout, less the delays of a busy machine.
            assertThat(Duration.ofNanos(times.getLast() - times.getFirst())).isGreaterThan(
                    Duration.ofSeconds(1));
        } finally {
            for (RawSocket socket : sockets) {
                socket.close();
            }
        }
    }

    /** Returns when a socket got 1001. */
    private static long goneAway(RawSocket socket) {
        try {
            assertThat(socket.read().closeCode()).isEqualTo(1001);
            return System.nanoTime();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
