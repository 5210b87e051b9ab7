package io.sluice.gateway.proxy;

import static io.sluice.gateway.proxy.ProxyBed.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.handlers.upstream.EndpointStats.State;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of one client for which the endpoint closes connections without a response, and its neighbour. */
class ClientFailuresIT {
    private static final String HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    /** Starts an endpoint that crashes on a path, after a moment in which it would be a probe. */
    private static ProxyBed start() throws IOException {
        return ProxyBed.start(ByteOrigin.playing(connection -> {
            for (String head; (head = connection.request()) != null;) {
                if (head.startsWith("GET /crash")) {
                    Thread.sleep(20); // other requests meet the probe that this one would be
                    return;
                }
                connection.send(HELLO);
            }
        }));
    }

    private static int neighbour(ProxyBed proxy, String target) throws IOException {
        try (RawClient other = new RawClient(new Socket(InetAddress.getLoopbackAddress(),
                proxy.gateway().port(), InetAddress.ofLiteral("127.0.0.2"), 0))) {
            return other.send(request("GET", target)).read().status();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void doNotTakeTheEndpointFromANeighbour(boolean beforeThem) throws Exception {
        var enough = new AtomicBoolean();
        try (var proxy = start(); var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            if (beforeThem) {
                assertThat(neighbour(proxy, "/hello")).isEqualTo(200);
            }
            var crashes = new ArrayList<Future<?>>();
            for (int i = 0; i < 4; i++) {
                crashes.add(clients.submit(() -> {
                    while (!enough.get()) {
                        proxy.get("/crash");
                    }
                    return null;
                }));
            }
            try {
                await().until(() -> proxy.endpoint().failures().get(Stage.RESPONSE) > 10);
                for (int i = 0; i < 100; i++) {
                    assertThat(neighbour(proxy, "/hello")).as("after %s", i).isEqualTo(200);
                }
            } finally {
                enough.set(true);
            }
            for (Future<?> crash : crashes) {
                crash.get();
            }
            assertThat(proxy.endpoint().state()).isEqualTo(State.UP);
        }
    }

    @Test
    void andThoseOfItsNeighbourTakeTheEndpointDown() throws Exception {
        try (var proxy = start()) {
            assertThat(neighbour(proxy, "/hello")).isEqualTo(200);
            assertThat(proxy.get("/hello").status()).isEqualTo(200);
            assertThat(neighbour(proxy, "/crash")).isEqualTo(502);
            assertThat(proxy.get("/crash").status()).isEqualTo(502);
            assertThat(proxy.endpoint().state()).isEqualTo(State.UP);

            assertThat(neighbour(proxy, "/crash")).isEqualTo(502);
            assertThat(proxy.endpoint().state()).isEqualTo(State.DOWN);
        }
    }
}
