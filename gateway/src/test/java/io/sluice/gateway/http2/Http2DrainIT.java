package io.sluice.gateway.http2;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static io.sluice.gateway.http2.FrameClient.data;
import static io.sluice.gateway.http2.FrameClient.get;
import static io.sluice.gateway.http2.FrameClient.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.handlers.Exchange;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Drain of HTTP/2 connections: two GOAWAY frames, and no lost request. */
class Http2DrainIT {
    private static final Duration IDLE_GRACE = Duration.ofMillis(100);

    private final Queue<Exchange> waiting = new ConcurrentLinkedQueue<>();
    private HandlerServer server;
    private FrameClient client;

    @BeforeEach
    void start() throws IOException {
        server = HandlerServer.withClock(Map.of(), // the time for the client's answer does not pass by itself
                route("/", exchange -> answer(exchange, "hello")),
                route("/wait", exchange -> {
                    exchange.onAbort(() -> waiting.remove(exchange));
                    waiting.add(exchange);
                }));
        client = FrameClient.connect(server);
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        server.close();
    }

    private void drain() throws IOException {
        server.connections().drain(Duration.ZERO);
        Frame first = client.await(Frame.GOAWAY, 0);
        assertThat(first.lastStream()).isEqualTo(Integer.MAX_VALUE);
        assertThat(first.error()).isEqualTo(Frame.NO_ERROR);
    }

    private void pong() throws IOException {
        Frame ping = client.await(Frame.PING, 0);
        client.send(new Frame(Frame.PING, Frame.ACK, 0, ping.payload()));
    }

    private void assertLastStream(int stream) throws IOException {
        Frame last = client.await(Frame.GOAWAY, 0);
        assertThat(last.lastStream()).isEqualTo(stream);
        assertThat(last.error()).isEqualTo(Frame.NO_ERROR);
    }

    @Test
    void servesStreamsOpenedBeforeTheGoAwayArrived() throws IOException {
        client.send(get(1, "/wait"));
        await().until(() -> waiting.size() == 1);
        drain();
        client.send(get(3, "/"), post(5, "/wait"));
        assertThat(client.answer(3).body()).isEqualTo("hello");
        pong();
        assertLastStream(5);

        client.send(data(5, true, "a"));
        await().until(() -> waiting.size() == 2);
        waiting.forEach(exchange -> answer(exchange, "done"));
        assertThat(client.answer(1).body()).isEqualTo("done");
        assertThat(client.answer(5).body()).isEqualTo("done");
        assertClosed();
    }

    @Test
    void refusesStreamsBehindTheLastGoAway() throws IOException {
        client.send(get(1, "/wait"));
        await().until(() -> waiting.size() == 1);
        drain();
        pong();
        assertLastStream(1);
        client.send(post(3, "/"), data(3, true, "a"));

        assertThat(client.resetOf(3)).isEqualTo(Frame.REFUSED_STREAM);
        answer(waiting.remove(), "done");
        assertThat(client.answer(1).body()).isEqualTo("done");
        assertClosed();
    }

    @Test
    void closesIdleConnectionsAfterTheIdleGrace() throws IOException {
        client.assertAlive(1);
        drain();
        server.pass(IDLE_GRACE);

        assertLastStream(1);
        assertClosed();
    }

    @Test
    void aConnectionThatComesWhileDrainingIsDrainedToo() throws IOException {
        server.connections().drain(Duration.ZERO);
        try (var socket = new RawClient(server.port())) {
            socket.send(FrameClient.PREFACE).send(Frame.settings().bytes()).send(get(1, "/wait").bytes());
            try (FrameClient late = FrameClient.open(socket)) {
                assertThat(late.await(Frame.GOAWAY, 0).lastStream()).isEqualTo(Integer.MAX_VALUE);
                server.pass(IDLE_GRACE);
                assertThat(late.await(Frame.GOAWAY, 0).lastStream()).isEqualTo(1);
                // An HTTP/1 connection without a complete request would have been closed by now.
                late.send(Frame.ping()).await(Frame.PING, 0);
                answer(waiting.remove(), "done");
                assertThat(late.answer(1).body()).isEqualTo("done");
            }
        }
    }

    @Test
    void requestsOfAConnectionAreLimited() throws IOException {
        try (var two = HandlerServer.start(Map.of("sluice.server.max-requests-per-connection", "2"),
                route("/", exchange -> answer(exchange, "hello")));
                FrameClient other = FrameClient.connect(two)) {
            other.assertAlive(1);
            other.send(get(3, "/"));
            assertThat(other.answer(3).body()).isEqualTo("hello");

            assertThat(other.await(Frame.GOAWAY, 0).lastStream()).isEqualTo(Integer.MAX_VALUE);
            assertThat(other.await(Frame.GOAWAY, 0).lastStream()).isEqualTo(3);
            assertThat(other.socket().socket().getInputStream().read()).isNegative();
        }
    }

    /** RFC 9113 sections 5.4.1 and 6.8: its id is not above that of an earlier GOAWAY. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aConnectionErrorIsTold(boolean lastStreamSent) throws IOException {
        client.send(get(1, "/wait"));
        await().until(() -> waiting.size() == 1);
        drain();
        if (lastStreamSent) {
            pong();
            assertLastStream(1);
        }
        client.send(post(3, "/"), data(0, true, "a"));

        Frame error = client.lastFrame();
        assertThat(error.error()).isEqualTo(Frame.PROTOCOL_ERROR);
        assertThat(error.lastStream()).isEqualTo(lastStreamSent ? 1 : 3);
    }

    /** The error tells the reason, and ends the work for the other requests. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aShortageOfMemoryEndsAConnectionWithinAHead(boolean isFrameCut) throws IOException {
        client.send(get(1, "/wait"));
        await().until(() -> waiting.size() == 1);
        byte[] begun = new Frame(Frame.HEADERS, 0, 3, FrameClient.block("x", "y")).bytes();
        client.socket().send(isFrameCut ? Arrays.copyOf(begun, begun.length - 1) : begun);
        server.settle();
        server.connections().memoryShort(false);

        assertThat(client.goAway()).isEqualTo(Frame.ENHANCE_YOUR_CALM);
        assertThat(waiting).isEmpty();
    }

    @Test
    void aShortageOfTheHeapDrainsAConnectionWithoutStreams() throws IOException {
        client.send(get(1, "/"));
        assertThat(client.answer(1).body()).isEqualTo("hello");
        server.settle();
        server.connections().memoryShort(true);
        assertLastStream(Integer.MAX_VALUE);
        pong();

        assertLastStream(1);
        assertClosed();
    }

    @Test
    void forcedCloseSendsGoAwayAndAbortsRequests() throws IOException {
        client.send(get(1, "/wait"));
        await().until(() -> waiting.size() == 1);
        server.connections().closeAll();

        await().until(waiting::isEmpty);
        assertLastStream(1);
        assertThat(server.connections().count()).isZero();
    }

    /** Checks that the gateway has closed the connection, though the client's side is open. */
    private void assertClosed() throws IOException {
        assertThat(client.socket().socket().getInputStream().read()).isNegative();
    }
}
