package io.sluice.gateway.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.GatewayProcess;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.limits.StubbornClients;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests of several clients over the connections of a trusted proxy. */
class SharedConnectionMemoryIT {
    private static final String FIELD = "x".repeat(15_000);
    private static final int STREAMS = 100;

    @ParameterizedTest
    @CsvSource({"false, 1500", "true, 8"})
    void oneClientLeavesRoomToOthers(boolean http2, int connections) throws Exception {
        byte[] requests = http2 ? streams() : request("/wait?ms=50000", "10.0.0.1");
        try (var gateway = start(); var proxy = new StubbornClients(gateway.port(), connections, requests)) {
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                proxy.sendMore();
                return status(gateway, "10.0.0.1") == 503;
            });

            await().atMost(Duration.ofSeconds(20)).ignoreExceptionsInstanceOf(SocketException.class)
                    .until(() -> status(gateway, "10.0.0.2") == 200); // while the others wait
            assertThat(gateway.output()).containsPattern(
                    "requests and subscriptions of (all clients|/10.0.0.1) take");
        }
    }

    private static GatewayProcess start() {
        return GatewayProcess.start("""
                sluice {
                  server.trusted-proxies = [127.0.0.1]
                  routes {
                    hello { path = "/", handler = text, text = hello }
                    wait { path = "/wait", handler = delay, max = 50s, deadline = 60s }
                  }
                }
                """, "-Xmx64m", "-XX:MaxDirectMemorySize=64m", "-XX:+ExitOnOutOfMemoryError");
    }

    private static byte[] request(String target, String client) {
        return ("GET " + target + " HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: " + client + "\r\nX: " + FIELD
                + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] streams() {
        var requests = new ByteArrayOutputStream();
        requests.writeBytes(FrameClient.PREFACE.getBytes(StandardCharsets.US_ASCII));
        requests.writeBytes(Frame.settings().bytes());
        for (int stream = 1; stream < 2 * STREAMS; stream += 2) {
            requests.writeBytes(FrameClient.get(stream, "/wait?ms=50000", "x-forwarded-for", "10.0.0.1",
                    "x", FIELD).bytes());
        }
        return requests.toByteArray();
    }

    private static int status(GatewayProcess gateway, String client) throws IOException {
        try (var proxy = new RawClient(gateway.port())) {
            return proxy.send(request("/", client)).read().status();
        }
    }
}
