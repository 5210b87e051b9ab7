package io.sluice.gateway.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

class DrainIT {
    private static final String ROUTES = """
            sluice.lifecycle.drain-timeout = 30s
            sluice.routes {
              hello { path = "/hello", handler = text, text = hello }
              wait { path = "/wait", handler = delay, max = 60s }
            }
            """;
    private static final String HELLO = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String WAIT = "GET /wait?ms=%d HTTP/1.1\r\nHost: a\r\n\r\n";

    @Test
    void requestsInFlightAreAnsweredAndTheConnectionClosed() throws Exception {
        try (var gateway = RunningGateway.start(ROUTES); RawClient client = gateway.connect()) {
            client.send(HELLO).read();
            client.send(WAIT.formatted(1000));
            Thread stop = stop(gateway);
            await().untilAsserted(() ->
                    assertThatThrownBy(gateway::connect).isInstanceOf(ConnectException.class));

            RawClient.Answer answer = client.read();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("connection")).isEqualTo("close");
            assertThat(client.isClosed()).isTrue();
            client.socket().close(); // otherwise the drain waits for the client's side
            stop.join();
        }
    }

    @Test
    void isNotReadyWhileDraining() throws Exception {
        try (var gateway = RunningGateway.start(ROUTES); RawClient client = gateway.connect()) {
            assertThat(gateway.getAdmin("/readyz").statusCode()).isEqualTo(200);
            client.send(WAIT.formatted(3000));
            await().until(() -> gateway.getAdmin("/metrics").body().contains("sluice_connections 1.0"));
            Thread stop = stop(gateway);

            await().untilAsserted(() -> {
                assertThat(gateway.getAdmin("/readyz").statusCode()).isEqualTo(503);
                assertThat(gateway.getAdmin("/readyz").body()).contains("draining");
            });
            assertThat(gateway.getAdmin("/livez").statusCode()).isEqualTo(200);
            assertThat(client.read().status()).isEqualTo(200);
            client.socket().close();
            stop.join();
        }
    }

    @Test
    void closesSilentConnectionsAndAnswersThoseThatSpeak() throws Exception {
        String patient = ROUTES + "sluice.lifecycle.unready-delay = 4s";
        try (var gateway = RunningGateway.start(patient); RawClient silent = gateway.connect();
                RawClient speaking = gateway.connect()) {
            silent.send(HELLO).read();
            speaking.send(HELLO).read();
            Thread stop = stop(gateway);

            await().until(() -> gateway.getAdmin("/readyz").statusCode() == 503);
            RawClient.Answer answer = speaking.send(HELLO).read();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(silent.isClosed()).isTrue();
            silent.socket().close();
            speaking.socket().close();
            stop.join();
        }
    }

    @Test
    void requestsBeyondTheDrainTimeoutAreAborted() throws Exception {
        try (var gateway = RunningGateway.start(ROUTES + "sluice.lifecycle.drain-timeout = 3s");
                RawClient client = gateway.connect()) {
            client.send(WAIT.formatted(60_000));
            await().until(() -> gateway.getAdmin("/metrics").body().contains("sluice_connections 1.0"));
            stop(gateway).join();

            assertThat(isEnded(client)).isTrue();
        }
    }

    private static boolean isEnded(RawClient client) throws IOException {
        try {
            return client.isClosed();
        } catch (SocketException e) {
            return true;
        }
    }

    private static Thread stop(RunningGateway gateway) {
        return Thread.ofPlatform().start(gateway::stop);
    }
}
