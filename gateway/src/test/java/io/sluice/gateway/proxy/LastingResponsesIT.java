package io.sluice.gateway.proxy;

import static io.sluice.gateway.proxy.ProxyBed.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client whose responses go on and take all permits of an upstream, and its neighbour. */
class LastingResponsesIT {
    private static final String EVENTS = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n9\r\ndata: a\n\n\r\n";
    private static final String HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    private final ArrayList<RawClient> clients = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
    }

    @Test
    void giveWayToANeighbourBeyondTheirClientsShare() throws IOException {
        try (var proxy = start("1s")) {
            await().until(() -> neighbour(proxy) == 200);

            assertThat(proxy.upstream().permits().stats().busy()).isEqualTo(3);
            assertThatThrownBy(() -> clients.getFirst().read(1_000)).hasMessage("Connection reset");
            assertThat(neighbour(proxy)).isEqualTo(200);
            assertThat(proxy.upstream().permits().stats().busy()).isEqualTo(3);
        }
    }

    @Test
    void giveWayToANeighbourThatWaitsAlready() throws Exception {
        try (var proxy = start("3s")) {
            Thread.sleep(1_000); // the neighbour may wait for longer than the first response has left

            assertThat(neighbour(proxy)).isEqualTo(200);
        }
    }

    /** Starts a gateway all of whose permits are for responses to one client. */
    private ProxyBed start(String deadline) throws IOException {
        var proxy = ProxyBed.start("sluice.upstreams.origin { concurrency = 4, deadline = " + deadline + " }",
                ByteOrigin.playing(connection -> {
                    for (String head; (head = connection.request()) != null;) {
                        connection.send(head.startsWith("GET /events") ? EVENTS : HELLO);
                    }
                }));
        for (int i = 0; i < 4; i++) {
            clients.add(proxy.connect().send(request("GET", "/events")));
            assertThat(clients.getLast().readHead().status()).isEqualTo(200);
        }
        return proxy;
    }

    private static int neighbour(ProxyBed proxy) throws IOException {
        try (RawClient other = new RawClient(new Socket(InetAddress.getLoopbackAddress(),
                proxy.gateway().port(), InetAddress.ofLiteral("127.0.0.2"), 0))) {
            return other.send(request("GET", "/hello")).read().status();
        }
    }
}
