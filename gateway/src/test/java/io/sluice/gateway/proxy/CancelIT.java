package io.sluice.gateway.proxy;

import static io.sluice.gateway.proxy.ProxyBed.SOON;
import static io.sluice.gateway.proxy.ProxyBed.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.handlers.upstream.EndpointStats.State;
import io.sluice.handlers.upstream.RequestStage;
import io.sluice.handlers.upstream.Upstream;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import io.sluice.offload.OffloadStats;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that disconnect: their proxied request ends at every stage, and its permit is released. */
class CancelIT {
    /** The initial window of an HTTP/2 stream in bytes. */
    private static final int WINDOW = 65_535;
    /** An empty SETTINGS frame. */
    private static final byte[] NO_SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

    private static void assertEnds(Upstream upstream, RequestStage stage, RawClient client)
            throws IOException {
        client.close();
        await().atMost(SOON).until(() -> upstream.cancelledWhile(stage) == 1);
        for (RequestStage other : RequestStage.values()) {
            assertThat(upstream.cancelledWhile(other)).isEqualTo(other == stage ? 1 : 0);
        }
    }

    private static void assertIsFree(Upstream upstream) {
        await().atMost(SOON).until(() -> upstream.permits().stats().busy() == 0
                && upstream.endpoints().stream().allMatch(endpoint -> endpoint.inFlight() == 0));
    }

    @Test
    void whileQueued() throws IOException {
        String one = "sluice.upstreams.origin.concurrency = 1";
        try (var proxy = ProxyBed.start(one, ByteOrigin.playing(origin -> {
            origin.request();
            origin.drain();
        })); RawClient first = proxy.connect().send(request("GET", "/1"));
                RawClient second = proxy.connect()) {
            await().until(() -> proxy.origin().requests().size() == 1);
            second.send(request("GET", "/2"));
            await().until(() -> proxy.upstream().permits().stats().queued() == 1);
            assertEnds(proxy.upstream(), RequestStage.QUEUED, second);
            OffloadStats stats = proxy.upstream().permits().stats();
            assertThat(stats.queued()).isZero();
            assertThat(stats.busy()).isEqualTo(1);
            first.socket().close();
            assertIsFree(proxy.upstream());
            assertThat(proxy.origin().requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"http, http1", "http, h2c", "https, http1", "https, auto"})
    void whileConnecting(String scheme, String protocol) throws IOException {
        withUnreachable(scheme, "connect-timeout = 1m, protocol = " + protocol, (gateway, upstream) -> {
            RawClient client = gateway.connect().send(request("GET", "/"));
            await().until(() -> upstream.permits().stats().busy() == 1);
            assertEnds(upstream, RequestStage.CONNECTING, client);
            assertIsFree(upstream);
        });
    }

    @Test
    void clientsThatDoNotWaitForAnUnreachableEndpointFindItDown() throws IOException {
        withUnreachable("http", "connect-timeout = 2s, circuit.failures = 2", (gateway, upstream) -> {
            for (int left = 1; left <= 2; left++) {
                RawClient client = gateway.connect().send(request("GET", "/"));
                await().until(() -> upstream.permits().stats().busy() == 1);
                client.close();
                assertIsFree(upstream);
                int failures = left;
                await().until(() ->
                        upstream.endpoints().getFirst().failures().get(Stage.CONNECT) == failures);
            }
            assertThat(upstream.endpoints().getFirst().state()).isEqualTo(State.DOWN);
        });
    }

    @FunctionalInterface
    private interface Check {
        void of(RunningGateway gateway, Upstream upstream) throws IOException;
    }

    private static void withUnreachable(String scheme, String settings, Check check) throws IOException {
        List<Socket> waiting = new ArrayList<>();
        try (var full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            fill(full, waiting);
            try (var gateway = RunningGateway.start("""
                    sluice.upstreams.full { endpoints = ["%s://127.0.0.1:%d"], deadline = 1m, %s }
                    sluice.routes.all { path = "/**", handler = proxy, upstream = full }
                    """.formatted(scheme, full.getLocalPort(), settings))) {
                check.of(gateway, gateway.upstream("full"));
            }
        } finally {
            for (Socket socket : waiting) {
                socket.close();
            }
        }
    }

    /** Connects until the backlog is full, so that the kernel accepts no more. */
    private static void fill(ServerSocket server, List<Socket> waiting) throws IOException {
        for (int i = 0; i < 100; i++) {
            var socket = new Socket();
            waiting.add(socket);
            try {
                socket.connect(server.getLocalSocketAddress(), 100);
            } catch (SocketTimeoutException _) {
                return;
            }
        }
        throw new AssertionError("a server without a limit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 103 A\r\n\r\n", "HTTP/1.1 200 OK\r\n"})
    void whileTheResponseIsAwaited(String begin) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send(begin).drain();
        })); RawClient client = proxy.connect().send(request("GET", "/"))) {
            await().until(() -> proxy.origin().requests().size() == 1);
            assertEnds(proxy.upstream(), RequestStage.SENT, client);
            assertIsFree(proxy.upstream());
            await().until(() -> proxy.origin().open() == 0);
        }
    }

    /** A connection that the gateway closes first would keep its port for a minute. */
    @Test
    void resetTheConnectionToTheEndpoint() throws IOException {
        var end = new CompletableFuture<Long>();
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            try {
                end.complete(origin.drain());
            } catch (IOException e) {
                end.completeExceptionally(e);
            }
        })); RawClient client = proxy.connect().send(request("GET", "/"))) {
            await().until(() -> proxy.origin().requests().size() == 1);
            client.socket().close();
            assertThat(end).failsWithin(Duration.ofSeconds(30)).withThrowableThat()
                    .withMessageContaining("reset");
        }
    }

    @Test
    void whileTheRequestIsSent() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.head();
            origin.drain();
        })); RawClient client = proxy.connect().send(request("POST", "/", "Content-Length: 9") + "abc")) {
            await().until(() -> proxy.origin().requests().size() == 1);
            assertEnds(proxy.upstream(), RequestStage.SENT, client);
            assertIsFree(proxy.upstream());
            await().until(() -> proxy.origin().open() == 0);
        }
    }

    /**
     * The endpoint's window is full, so that the gateway leaves the rest of the body, and the FIN behind it,
     * in the kernel. After the FIN, epoll reads to the end.
     */
    @Test
    void whileTheRequestIsStalled() throws Exception {
        assumeTrue(Epoll.isAvailable(), "NIO does not notice the FIN");
        var stalled = new CountDownLatch(1);
        try (var proxy = ProxyBed.start("""
                sluice.server { transport = epoll, receive-buffer = 512KiB }
                sluice.upstreams.origin { protocol = h2c, deadline = 1h }
                """, ByteOrigin.playing(origin -> {
                    origin.send(NO_SETTINGS).read(WINDOW);
                    stalled.countDown();
                    origin.drain();
                })); RawClient client = proxy.connect()) {
            client.send(request("POST", "/", "Content-Length: 9999999") + "x".repeat(4 * WINDOW));
            assertThat(stalled.await(30, TimeUnit.SECONDS)).isTrue();
            assertEnds(proxy.upstream(), RequestStage.SENT, client);
            assertIsFree(proxy.upstream());
        }
    }

    @Test
    void whileTheResponseIsStreamed() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc").drain();
        })); RawClient client = proxy.connect().send(request("GET", "/"))) {
            assertThat(client.socket().getInputStream().read()).isPositive();
            assertEnds(proxy.upstream(), RequestStage.STREAMING, client);
            assertIsFree(proxy.upstream());
            await().until(() -> proxy.origin().open() == 0);
        }
    }

    /** The gateway has paused reading the response, and still detects that the client has disconnected. */
    @Test
    void whileTheResponseIsNotRead() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send("HTTP/1.1 200 OK\r\n\r\n");
            while (true) {
                origin.send(new byte[64 * 1024]);
            }
        })); RawClient client = new RawClient(proxy.gateway().port(), 16 * 1024)) {
            client.send(request("GET", "/"));
            assertThat(client.socket().getInputStream().read()).isPositive();
            assertEnds(proxy.upstream(), RequestStage.STREAMING, client);
            assertIsFree(proxy.upstream());
            await().until(() -> proxy.origin().open() == 0);
        }
    }
}
