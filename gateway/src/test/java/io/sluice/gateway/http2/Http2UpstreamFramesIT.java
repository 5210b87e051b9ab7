package io.sluice.gateway.http2;

import static io.sluice.gateway.http2.FrameClient.data;
import static io.sluice.gateway.http2.FrameClient.headers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.handlers.upstream.EndpointStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames that an HTTP/2 endpoint may send, and frames that it must not send (RFC 9113). */
@Timeout(120)
class Http2UpstreamFramesIT {
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int MAX_HEADER_LIST_SIZE = 6;
    private static final int MAX_FRAME_SIZE = 16 * 1024;
    private static final int PADDED = 8;
    private static final int PRIORITY = 32;
    private static final int WINDOW = 65_535;
    private static final String END = "\r\nHost: a\r\n\r\n";
    private static final String GET = "GET / HTTP/1.1" + END;

    private FrameOrigin origin;
    private RunningGateway gateway;

    @BeforeEach
    void start() throws IOException {
        origin = new FrameOrigin();
        gateway = RunningGateway.start("""
                sluice {
                  server.worker-threads = 1
                  upstreams.origin { endpoints = ["http://127.0.0.1:%d"], protocol = h2c }
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

    private static String post(int length) {
        return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n";
    }

    /** Awaits a request on a stream, and answers it. */
    private static void assertServes(FrameClient connection, int stream, RawClient client)
            throws IOException {
        client.send(GET);
        connection.await(Frame.HEADERS, stream);
        connection.send(FrameOrigin.answer(stream, "next"));
        assertThat(client.read().body()).isEqualTo("next");
    }

    private static Frame padded(Frame frame, int padding) {
        byte[] payload = new byte[1 + frame.payload().length + padding];
        payload[0] = (byte) padding;
        System.arraycopy(frame.payload(), 0, payload, 1, frame.payload().length);
        return new Frame(frame.type(), frame.flags() | PADDED, frame.stream(), payload);
    }

    @Test
    void mayPadAndPrioritizeAndContinueFrames() throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send(GET);
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            byte[] block = FrameClient.block(":status", "200", "x-long", "a".repeat(20_000));
            byte[] first = new byte[5 + 10];
            first[4] = 15; // identifier of a priority setting (RFC 7540)
            System.arraycopy(block, 0, first, 5, 10);
            connection.send(
                    new Frame(0xBE, 0, 3, new byte[10]), // a frame of an unknown extension
                    padded(new Frame(Frame.HEADERS, PRIORITY, 3, first), 200),
                    new Frame(Frame.CONTINUATION, 0, 3, Arrays.copyOfRange(block, 10, 16_000)),
                    new Frame(Frame.CONTINUATION, Frame.END_HEADERS, 3,
                            Arrays.copyOfRange(block, 16_000, block.length)),
                    padded(data(3, false, "pad"), 100), padded(data(3, false, ""), 100),
                    data(3, false, "ded"), headers(3, true, "x-sum", "6"));
            RawClient.Answer answer = client.read();
            assertThat(answer.header("x-long")).hasSize(20_000);
            assertThat(answer.body()).isEqualTo("padded");
            assertServes(connection, 5, client);
        }
    }

    @Test
    void maySendPingsThatAreAnswered() throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send(GET);
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            connection.send(new Frame(Frame.PING, 0, 0, "12345678".getBytes()));
            Frame answer = connection.await(Frame.PING, 0);
            assertThat(answer.has(Frame.ACK)).isTrue();
            assertThat(answer.payload()).asString().isEqualTo("12345678");
        }
    }

    /** A window may become negative (RFC 9113 section 6.9.2). */
    @Test
    void mayTakeCreditBack() throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send(post(WINDOW + 10) + "a".repeat(WINDOW + 10));
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            int got = 0;
            while (got < WINDOW) {
                got += connection.await(Frame.DATA, 3).payload().length;
            }
            connection.send(Frame.settings(INITIAL_WINDOW_SIZE, 0), Frame.windowUpdate(0, WINDOW),
                    Frame.windowUpdate(3, WINDOW), Frame.ping());
            connection.await(Frame.PING, 0); // no DATA came before: the window is 0 again
            connection.send(Frame.windowUpdate(3, 4));
            assertThat(connection.await(Frame.DATA, 3).payload()).hasSize(4);
            connection.send(Frame.settings(INITIAL_WINDOW_SIZE, 6));
            assertThat(connection.await(Frame.DATA, 3).payload()).hasSize(6);
            connection.send(FrameOrigin.answer(3, "all"));
            assertThat(client.read().body()).isEqualTo("all");
        }
    }

    @Test
    void mayAnswerBeforeItHasTheRequest() throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send(post(WINDOW + 10_000) + "a".repeat(WINDOW + 10_000));
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            connection.send(FrameOrigin.answer(3, "no"));
            connection.send(Frame.rst(3, Frame.NO_ERROR));
            assertThat(client.read().body()).isEqualTo("no");
        }
    }

    /** The gateway resets the stream, since it would otherwise keep the rest of the request. */
    @Test
    void mayAnswerAndReadNoMoreOfTheRequest() throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send(post(WINDOW + 10) + "a".repeat(WINDOW + 10));
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            int got = 0;
            while (got < WINDOW) {
                got += connection.await(Frame.DATA, 3).payload().length;
            }
            connection.send(FrameOrigin.answer(3, "no"));
            assertThat(client.read().body()).isEqualTo("no");
            assertThat(connection.resetOf(3)).isIn(Frame.CANCEL, Frame.NO_ERROR);
            await().until(() -> endpoint().idle() == 1);
            assertServes(connection, 5, client);
        }
    }

    /** A request of a client that is too large must not count as a failure of the endpoint. */
    @Test
    void getsNoFieldsThatAreTooLargeForIt() throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send(GET);
            FrameClient connection = origin.accept(MAX_HEADER_LIST_SIZE, 2000);
            connection.await(Frame.HEADERS, 3);
            connection.send(FrameOrigin.answer(3, "one"));
            assertThat(client.read().body()).isEqualTo("one");
            for (int i = 0; i < 3; i++) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\nX-Long: " + "a".repeat(2000) + "\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(431);
            }
            assertThat(endpoint().state()).isEqualTo(EndpointStats.State.UP);
            assertThat(endpoint().inFlight()).isZero();
        }
    }

    static Stream<List<Frame>> malformedStreamIsReset() {
        Frame ok = headers(3, false, ":status", "200");
        return Stream.of(
                List.of(ok, Frame.windowUpdate(3, 0)),
                List.of(ok, Frame.windowUpdate(3, Integer.MAX_VALUE)),
                List.of(ok, headers(3, false, "x-sum", "1")),
                List.of(ok, headers(3, true, ":status", "200")),
                List.of(headers(3, false, ":status", "200", "content-length", "9"),
                        data(3, false, "short"), headers(3, true, "x-sum", "1")),
                List.of(headers(3, false, ":status", "103"), data(3, true, "no head")),
                List.of(headers(3, true, ":status", "103")),
                List.of(headers(3, false, ":status", "204"), data(3, true, "body")),
                List.of(headers(3, true, ":status", "200", "x-a", " a")),
                List.of(headers(3, true, ":status", "200", "x-a", "a ")),
                List.of(headers(3, true, ":status", "200", "x-a", "a\t")),
                List.of(ok, headers(3, true, "x-sum", "1 ")),
                List.of(ok, headers(3, true, "transfer-encoding", "chunked")),
                List.of(headers(3, true, ":status", "200", "x-a", "a\0")),
                List.of(headers(3, true, ":status", "200", "content-length", "+0")),
                List.of(headers(3, true, ":status", "200", "x a", "a")),
                List.of(headers(3, true, ":status", "200", "", "a")), split(70_000), split(200_000));
    }

    /** Returns a head with a long field in frames of the largest size. */
    private static List<Frame> split(int length) {
        Frame head = headers(3, true, ":status", "200", "x-long", "a".repeat(length));
        var frames = new ArrayList<Frame>();
        for (int at = 0; at < head.payload().length; at += MAX_FRAME_SIZE) {
            int end = Math.min(head.payload().length, at + MAX_FRAME_SIZE);
            frames.add(new Frame(at == 0 ? Frame.HEADERS : Frame.CONTINUATION,
                    (at == 0 ? head.flags() & ~Frame.END_HEADERS : 0)
                            | (end == head.payload().length ? Frame.END_HEADERS : 0),
                    head.stream(), Arrays.copyOfRange(head.payload(), at, end)));
        }
        return frames;
    }

    @ParameterizedTest
    @MethodSource
    void malformedStreamIsReset(List<Frame> frames) throws IOException {
        try (RawClient client = gateway.connect(); RawClient other = gateway.connect()) {
            client.send(GET);
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            connection.send(frames.toArray(Frame[]::new));
            assertThat(connection.resetOf(3)).isIn(Frame.PROTOCOL_ERROR, Frame.FLOW_CONTROL_ERROR);
            await().until(() -> endpoint().inFlight() == 0);
            assertServes(connection, 5, other);
        }
    }

    @Test
    void trailersThatFrameAreDropped() throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send(GET);
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            connection.send(headers(3, false, ":status", "200"), data(3, false, "body"),
                    headers(3, true, "content-length", "9", "grpc-message", "no: ", "trailer", "x-sum",
                            "grpc-message", " no")); // gRPC's encoding leaves blanks
            RawClient.Answer answer = client.read();
            assertThat(answer.body()).isEqualTo("body");
            assertThat(answer.trailers()).containsExactly("grpc-message: no:", "grpc-message: no");
            assertServes(connection, 5, client);
        }
    }

    /** Frames after the end of a stream do not belong to a response. */
    @Test
    void framesAfterTheEndAreIgnored() throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send(GET);
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            connection.send(FrameOrigin.answer(3, "one"));
            connection.send(data(3, false, "more"), Frame.rst(3, Frame.NO_ERROR), Frame.windowUpdate(3, 1));
            assertThat(client.read().body()).isEqualTo("one");
            assertServes(connection, 5, client);
        }
    }

    static Stream<Frame> malformedConnectionIsReplaced() {
        byte[] promise = {0, 0, 0, 2, (byte) 0x82, (byte) 0x86, (byte) 0x84}; // GET http /
        return Stream.of(new Frame(Frame.PUSH_PROMISE, Frame.END_HEADERS, 3, promise),
                Frame.windowUpdate(0, 0), data(5, true, "a"), headers(2, true, ":status", "200"),
                headers(2, true, "Upper-Case", "a"), headers(99, true, "Upper-Case", "a"),
                Frame.settings(INITIAL_WINDOW_SIZE, Integer.MAX_VALUE), // more than the stream can take
                new Frame(Frame.HEADERS, Frame.END_HEADERS, 3, new byte[] {(byte) 0xFF, 0}),
                new Frame(Frame.CONTINUATION, Frame.END_HEADERS, 3, new byte[0]));
    }

    @ParameterizedTest
    @MethodSource
    void malformedConnectionIsReplaced(Frame frame) throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send(post(1) + "a");
            FrameClient connection = origin.accept();
            connection.await(Frame.HEADERS, 3);
            connection.send(Frame.windowUpdate(3, 2), frame);
            assertThat(connection.goAway()).isNotEqualTo(Frame.NO_ERROR);
            assertThat(client.read().status()).isEqualTo(502);
            client.send(GET);
            FrameClient next = origin.accept();
            next.await(Frame.HEADERS, 3);
            next.send(FrameOrigin.answer(3, "next"));
            assertThat(client.read().body()).isEqualTo("next");
        }
    }
}
