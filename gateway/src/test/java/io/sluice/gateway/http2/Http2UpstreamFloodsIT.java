package io.sluice.gateway.http2;

import static io.sluice.gateway.http2.FrameClient.data;
import static io.sluice.gateway.http2.FrameClient.headers;
import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.handlers.upstream.EndpointStats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** HTTP/2 endpoints that make the gateway work or keep memory without serving requests. */
@Timeout(300)
class Http2UpstreamFloodsIT {
    private static final int INITIAL_WINDOW_SIZE = 4;
    /** Frames without content that a connection takes in a few seconds, and those that it does not take. */
    private static final int ALLOWED = 1500;
    private static final int MORE = 550;
    private static final int BODY = 1 << 20;
    /** The bytes that a server reads of a body at a time. */
    private static final int READ = 300;
    private static final int MESSAGES = 5000;
    private static final int AT_ONCE = 50;
    /** After thousands of requests. */
    private static final int LAST_STREAM = 8000;
    /** Fills the buffers of the kernel soon. */
    private static final String LARGE = "~".repeat(15_000);
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private FrameOrigin origin;
    private RunningGateway gateway;

    @BeforeEach
    void start() throws IOException {
        origin = new FrameOrigin();
        gateway = RunningGateway.start("""
                sluice {
                  server.worker-threads = 1
                  upstreams.origin { endpoints = ["http://127.0.0.1:%d"], protocol = h2c, retries = 0
                    connect-timeout = 2s, deadline = 60s }
                  routes.proxy { path = "/**", handler = proxy, upstream = origin }
                }
                """.formatted(origin.port()));
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        origin.close();
    }

    private EndpointStats endpoint() {
        return gateway.upstream("origin").endpoints().getFirst();
    }

    static Stream<Arguments> endTheConnection() {
        byte[] goAway = {0, 0, 0, 5, 0, 0, 0, 0};
        byte[] padding = {1, 0};
        return Stream.of(row("PING", Frame.ping()),
                row("PING that answers none", new Frame(Frame.PING, Frame.ACK, 0, new byte[8])),
                row("SETTINGS that answer none", new Frame(Frame.SETTINGS, Frame.ACK, 0, new byte[0])),
                row("PRIORITY", new Frame(Frame.PRIORITY, 0, 5, new byte[5])),
                row("unknown frames", new Frame(99, 0, 0, new byte[9])),
                row("WINDOW_UPDATE", Frame.windowUpdate(0, 1)),
                row("WINDOW_UPDATE of a stream", Frame.windowUpdate(5, 2000)),
                row("WINDOW_UPDATE of an ended stream", Frame.windowUpdate(3, 1)),
                row("GOAWAY", new Frame(Frame.GOAWAY, 0, 0, goAway)),
                row("empty DATA", data(5, false, "")),
                row("DATA of padding", new Frame(Frame.DATA, 8, 5, padding)),
                row("empty DATA of an ended stream", data(3, true, "")),
                row("HEADERS of an ended stream", headers(3, true, "x-sum", "1")),
                row("RST_STREAM of an ended stream", Frame.rst(3, Frame.NO_ERROR)));
    }

    private static Arguments row(String name, Frame frame) {
        return Arguments.of(name, frame);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void endTheConnection(String name, Frame frame) throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send(GET);
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            connection.send(FrameOrigin.answer(3, "one"));
            assertThat(client.read().body()).isEqualTo("one");
            client.send(GET);
            connection.await(Frame.HEADERS, 5);
            connection.send(headers(5, false, ":status", "200", "content-length", "9"));
            connection.send(nCopies(ALLOWED, frame).toArray(Frame[]::new));
            connection.send(data(5, false, "alive"));
            assertThat(client.readHead().status()).isEqualTo(200);
            assertThat(client.read(5)).isEqualTo("alive");

            connection.send(nCopies(MORE, frame).toArray(Frame[]::new));
            assertThat(connection.goAway()).isEqualTo(Frame.ENHANCE_YOUR_CALM);
        }
        await().until(() -> endpoint().inFlight() == 0);
    }

    /** Some servers return credit for each read of theirs, and measure by PING how fast they receive. */
    @Test
    void answerWhatIsSent() throws Exception {
        try (RawClient client = gateway.connect()) {
            String request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + BODY + "\r\n\r\n"
                    + "a".repeat(BODY);
            Thread sending = Thread.startVirtualThread(() -> send(client, request));
            FrameClient connection = origin.accept(INITIAL_WINDOW_SIZE, BODY);
            connection.send(Frame.windowUpdate(0, BODY));
            int updates = 0;
            for (int left = BODY; left > 0; ) {
                int length = connection.await(Frame.DATA, 3).payload().length;
                left -= length;
                connection.send(nCopies(length / READ, Frame.windowUpdate(3, READ)).toArray(Frame[]::new))
                        .send(Frame.ping());
                updates += length / READ;
            }
            assertThat(updates).isGreaterThan(ALLOWED + MORE);
            sending.join();
            connection.send(headers(3, false, ":status", "200"));
            connection.send(nCopies(MESSAGES, data(3, false, "x")).toArray(Frame[]::new));
            connection.send(data(3, true, "end"));
            assertThat(client.read().body()).hasSize(MESSAGES + 3).endsWith("xend");
        }
    }

    private static void send(RawClient client, String request) {
        try {
            client.send(request);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The requests that it answers without reading them would fill the memory. */
    @Test
    void readNoRequests() throws IOException {
        try (FrameClient client = FrameClient.greet(gateway.connect())) {
            client.send(FrameClient.get(1, "/"));
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            connection.send(FrameOrigin.answer(3, "one"));
            assertThat(client.answer(1).body()).isEqualTo("one");
            for (int stream = 3; failures() == 0 && stream < LAST_STREAM; stream += 2 * AT_ONCE) {
                var requests = new ArrayList<Frame>();
                var answers = new ArrayList<Frame>();
                for (int i = stream; i < stream + 2 * AT_ONCE; i += 2) {
                    requests.add(FrameClient.get(i, "/", "x-large", LARGE));
                    answers.addAll(List.of(FrameOrigin.answer(i + 2, "unread")));
                }
                client.send(requests.toArray(Frame[]::new));
                while (endpoint().inFlight() < AT_ONCE && failures() == 0) {
                    Thread.onSpinWait();
                }
                if (failures() == 0) {
                    connection.sendNow(answers.toArray(Frame[]::new));
                }
                for (int i = stream; i < stream + 2 * AT_ONCE && failures() == 0; i += 2) {
                    assertThat(client.answer(i).status()).isIn(200, 502);
                }
            }
            assertThat(failures()).isPositive();
        }
    }

    private long failures() {
        return endpoint().failures().values().stream().mapToLong(Long::longValue).sum();
    }
}
