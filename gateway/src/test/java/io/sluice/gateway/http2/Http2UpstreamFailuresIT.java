package io.sluice.gateway.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.handlers.upstream.EndpointStats;
import io.sluice.handlers.upstream.EndpointStats.State;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures of streams and of connections with HTTP/2 endpoints: which are repeated free, and which count. */
@Timeout(120)
class Http2UpstreamFailuresIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final int FAILURES = 3;
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final Frame GO_AWAY =
            new Frame(Frame.GOAWAY, 0, 0, new byte[] {0, 0, 0, 3, 0, 0, 0, 0});

    private final List<RawClient> clients = new ArrayList<>();
    private FrameOrigin origin;
    private RunningGateway gateway;

    @BeforeEach
    void start() throws IOException {
        origin = new FrameOrigin();
        start(0);
    }

    private void start(int retries) {
        gateway = RunningGateway.start("""
                sluice {
                  server.worker-threads = 1
                  upstreams.origin { endpoints = ["http://127.0.0.1:%d"], protocol = h2c, retries = %d
                    circuit.failures = %d, deadline = 30s }
                  routes.proxy { path = "/**", handler = proxy, upstream = origin }
                }
                """.formatted(origin.port(), retries, FAILURES));
    }

    @AfterEach
    void stop() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        gateway.close();
        origin.close();
    }

    private EndpointStats endpoint() {
        return gateway.upstream("origin").endpoints().getFirst();
    }

    /** Sends a request, which the endpoint gets on a stream. */
    private RawClient get(FrameClient connection, int stream) throws IOException {
        RawClient client = gateway.connect().send(GET);
        clients.add(client);
        connection.await(Frame.HEADERS, stream);
        return client;
    }

    /** Opens a connection to the endpoint with a request, which is on stream 3. */
    private FrameClient open() throws IOException {
        clients.add(gateway.connect().send(GET));
        FrameClient connection = origin.accept();
        connection.await(Frame.HEADERS, 3);
        return connection;
    }

    /** Opens a connection that has served a request, and is idle. */
    private FrameClient openIdle() throws IOException {
        FrameClient connection = open();
        assertServed(connection, 3, clients.getFirst());
        return connection;
    }

    private static void assertServed(FrameClient connection, int stream, RawClient client)
            throws IOException {
        connection.send(FrameOrigin.answer(stream, "served"));
        assertThat(client.read().body()).isEqualTo("served");
    }

    private void assertFailures(Stage stage, int number, State state) {
        assertThat(endpoint().failures()).containsEntry(stage, (long) number);
        assertThat(endpoint().state()).isEqualTo(state);
    }

    /** An endpoint that resets a stream is there: that is no connection that was closed while it was idle. */
    @ParameterizedTest
    @CsvSource({Frame.INTERNAL_ERROR + ", RESPONSE", Frame.ENHANCE_YOUR_CALM + ", RESPONSE",
        Frame.PROTOCOL_ERROR + ", RESPONSE", Frame.REFUSED_STREAM + ", REFUSED"})
    void ofStreamsThatAreResetCount(int error, Stage stage) throws IOException {
        FrameClient connection = openIdle();
        for (int i = 0; i < FAILURES; i++) {
            RawClient client = get(connection, 5 + 2 * i);
            connection.send(Frame.rst(5 + 2 * i, error));
            assertThat(client.read().status()).isEqualTo(502);
        }
        assertFailures(stage, FAILURES, State.DOWN);
    }

    /** The endpoint has closed the connection when it was idle, and none of the requests has arrived. */
    @Test
    void ofAConnectionThatWasIdleAreRepeatedFree() throws IOException {
        FrameClient connection = openIdle();
        RawClient one = get(connection, 5);
        RawClient two = get(connection, 7);
        connection.close();
        FrameClient next = origin.accept();
        next.await(Frame.HEADERS, 3);
        next.await(Frame.HEADERS, 5);
        assertServed(next, 3, one);
        assertServed(next, 5, two);
        assertFailures(Stage.RESPONSE, 0, State.UP);
    }

    @Test
    void ofStreamsBehindAGoAwayAreRepeatedFree() throws IOException {
        FrameClient connection = openIdle();
        RawClient client = get(connection, 5);
        connection.send(GO_AWAY);
        FrameClient next = origin.accept();
        next.await(Frame.HEADERS, 3);
        assertServed(next, 3, client);
        assertFailures(Stage.REFUSED, 0, State.UP);
    }

    /** The piece exceeds what is kept for a retry, and comes while the next connection is being opened. */
    @Test
    void loseNoPieceOfABodyThatComesBetweenTwoAttempts() throws IOException {
        int first = 60_000;
        int second = 10_000;
        FrameClient connection = openIdle();
        RawClient client = gateway.connect()
                .send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
                .send(chunk("a".repeat(first)));
        clients.add(client);
        for (int read = 0; read < first; ) {
            read += connection.await(Frame.DATA, 5).payload().length;
        }
        connection.send(GO_AWAY);
        Socket next = origin.connection();
        client.send(chunk("b".repeat(second)));
        gateway.connect().send("no request\r\n\r\n").read(); // the only event loop has got the chunk
        client.send(chunk("end") + "0\r\n\r\n");

        FrameClient opened = origin.greet(next, INITIAL_WINDOW_SIZE, 1 << 20)
                .send(Frame.windowUpdate(0, 1 << 20));
        assertThat(opened.body(3)).asString().isEqualTo("a".repeat(first) + "b".repeat(second) + "end");
        assertServed(opened, 3, client);
    }

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    @Test
    void ofAConnectionThatHasRespondedSinceItWasIdleCount() throws IOException {
        FrameClient connection = openIdle();
        RawClient one = get(connection, 5);
        RawClient two = get(connection, 7);
        assertServed(connection, 5, one);
        connection.close();
        assertThat(two.read().status()).isEqualTo(502);
        assertFailures(Stage.RESPONSE, 1, State.UP);
    }

    /** The budget of the upstream bears three retries at once. */
    @Test
    void ofOneConnectionAreRepeatedWithoutTheBudget() throws IOException {
        gateway.close();
        start(1);
        int requests = 10;
        FrameClient connection = openIdle();
        var repeated = new ArrayList<RawClient>();
        for (int i = 0; i <= requests; i++) {
            repeated.add(get(connection, 5 + 2 * i));
        }
        assertServed(connection, 5, repeated.removeFirst());
        connection.close();
        FrameClient next = origin.accept();
        for (int i = 0; i < requests; i++) {
            next.await(Frame.HEADERS, 3 + 2 * i);
            next.send(FrameOrigin.answer(3 + 2 * i, "served"));
        }
        for (RawClient client : repeated) {
            assertThat(client.read().body()).isEqualTo("served");
        }
        assertFailures(Stage.RESPONSE, requests, State.UP);
    }

    @Test
    void ofOneConnectionCountOnce() throws IOException {
        FrameClient connection = open();
        for (int i = 1; i < FAILURES; i++) {
            get(connection, 3 + 2 * i);
        }
        connection.close();
        for (RawClient client : clients) {
            assertThat(client.read().status()).isEqualTo(502);
        }
        assertFailures(Stage.RESPONSE, FAILURES, State.UP);
    }

    /** Such a response is cut off, and its endpoint has responded. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ofResponsesThatHaveBegunDoNotTakeTheEndpointDown(boolean reset) throws IOException {
        FrameClient connection = open();
        for (int i = 1; i < FAILURES; i++) {
            get(connection, 3 + 2 * i);
        }
        for (int i = 0; i < FAILURES; i++) {
            connection.send(FrameClient.headers(3 + 2 * i, false, ":status", "200"),
                    FrameClient.data(3 + 2 * i, false, "part"));
        }
        for (RawClient client : clients) {
            assertThat(client.readHead().status()).isEqualTo(200);
        }
        if (reset) {
            connection.send(Frame.rst(3, Frame.INTERNAL_ERROR), Frame.rst(5, Frame.INTERNAL_ERROR),
                    Frame.rst(7, Frame.INTERNAL_ERROR));
        } else {
            connection.close();
        }
        await().atMost(LONG).until(() -> endpoint().failures().get(Stage.TRUNCATED) == FAILURES);
        assertFailures(Stage.TRUNCATED, FAILURES, State.UP);
    }
}
