package io.sluice.gateway.limits;

import static io.sluice.gateway.peer.ProxyHeaders.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionLimitsIT {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private final List<RawClient> clients = new ArrayList<>();
    private RunningGateway gateway;

    private void start(String settings) {
        gateway = RunningGateway.start("""
                sluice.server { %s }
                sluice.routes.hello { path = "/", handler = text, text = hello }
                """.formatted(settings));
    }

    @AfterEach
    void stop() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        gateway.close();
    }

    private RawClient connect() throws IOException {
        RawClient client = gateway.connect();
        clients.add(client);
        return client;
    }

    private boolean isServed(RawClient client, byte... before) throws IOException {
        try {
            return client.send(before).send(GET).read().status() == 200;
        } catch (SocketException | EOFException e) {
            return false;
        }
    }

    private String metrics() throws Exception {
        return gateway.getAdmin("/metrics").body();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "proxy-protocol = true"})
    void connectionsBeyondTheLimitAreClosed(String proxied) throws Exception {
        start("max-connections = 3, " + proxied);
        byte[] before = proxied.isEmpty() ? new byte[0] : text("203.0.113.7");
        for (int i = 0; i < 3; i++) {
            assertThat(isServed(connect(), before)).isTrue();
        }

        for (int i = 0; i < 5; i++) {
            assertThat(isServed(connect(), before)).isFalse();
        }

        assertThat(isServed(clients.getFirst())).isTrue();
        assertThat(metrics()).contains("sluice_connections 3.0", "sluice_connections_limit 3.0",
                "sluice_connections_rejected_total{reason=\"limit\"} 5.0");
        clients.getFirst().close();
        await().until(() -> isServed(connect(), before));
    }

    @Test
    void connectionsBeyondTheLimitOfAnAddressAreClosed() throws Exception {
        start("max-connections-per-address = 2");
        assertThat(isServed(connect())).isTrue();
        assertThat(isServed(connect())).isTrue();

        assertThat(isServed(connect())).isFalse();

        assertThat(metrics()).contains("sluice_connections_rejected_total{reason=\"address\"} 1.0");
        clients.getFirst().close();
        await().until(() -> isServed(connect()));
    }

    @ParameterizedTest
    @CsvSource({
        "203.0.113.7, 203.0.113.7, 203.0.113.8",
        "2001:db8::7, 2001:db8:0:0:ffff::1, 2001:db8:0:1::7",
        "::ffff:203.0.113.7, 203.0.113.7, ::203.0.113.7"})
    void addressLimitUsesTheAddressOfTheProxyHeader(String one, String same, String other) throws Exception {
        start("max-connections-per-address = 2, proxy-protocol = true");
        assertThat(isServed(connect(), text(one))).isTrue();
        assertThat(isServed(connect(), text(same))).isTrue();

        assertThat(isServed(connect(), text(one))).isFalse();
        assertThat(isServed(connect(), text(other))).isTrue();

        clients.getFirst().close();
        await().until(() -> isServed(connect(), text(same)));
    }

    @Test
    void aProxyStandsForManyAndIsNotLimited() throws Exception {
        start("max-connections-per-address = 1, trusted-proxies = [127.0.0.1]");
        for (int i = 0; i < 3; i++) {
            assertThat(isServed(connect())).isTrue();
        }
    }

    @Test
    void aConnectionEndsWithItsLastRequest() throws Exception {
        start("max-requests-per-connection = 3");
        RawClient client = connect().send(GET + GET + GET + GET);

        assertThat(client.read().header("Connection")).isNull();
        assertThat(client.read().header("Connection")).isNull();
        assertThat(client.read().header("Connection")).isEqualTo("close");
        assertThat(client.isClosed()).isTrue();
    }
}
