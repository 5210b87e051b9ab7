package io.sluice.gateway.http2;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static io.sluice.gateway.http2.FrameClient.data;
import static io.sluice.gateway.http2.FrameClient.get;
import static io.sluice.gateway.http2.FrameClient.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.HandlerServer;
import io.sluice.handlers.Exchange;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Connection errors of HTTP/2: GOAWAY with the error's code, then the end of the connection. */
class ConnectionErrorIT {
    private static final int PADDED = 8;
    private static final int PRIORITY = 0x20;
    private static final int FRAME_SIZE_ERROR = 6;
    private static final int COMPRESSION_ERROR = 9;

    private static final Queue<Exchange> WAITING = new ConcurrentLinkedQueue<>();
    private static HandlerServer server;

    @BeforeAll
    static void start() {
        server = HandlerServer.start(
                route("/", exchange -> answer(exchange, "hello")),
                route("/wait", exchange -> {
                    exchange.onAbort(() -> WAITING.remove(exchange));
                    WAITING.add(exchange);
                }));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void violationGetsGoAway(String name, int error, Frame... frames) throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(frames);

            assertThat(client.goAway()).isEqualTo(error);
        }
    }

    static Stream<Arguments> violationGetsGoAway() {
        return Stream.of(
                row("DATA on no stream", Frame.PROTOCOL_ERROR, data(0, true, "a")),
                row("DATA on an idle stream", Frame.PROTOCOL_ERROR, data(1, true, "a")),
                row("more padding than there is", Frame.PROTOCOL_ERROR, post(1, "/wait"),
                        new Frame(Frame.DATA, PADDED, 1, new byte[] {9, 'a', 0})),
                row("HEADERS on no stream", Frame.PROTOCOL_ERROR, get(0, "/")),
                row("HEADERS on a stream of the server's", Frame.PROTOCOL_ERROR, get(2, "/")),
                row("HEADERS on a stream behind later ones", Frame.PROTOCOL_ERROR, get(5, "/"), get(3, "/")),
                row("HEADERS that depend on themselves", Frame.PROTOCOL_ERROR,
                        new Frame(Frame.HEADERS, 5 | PRIORITY, 1, new byte[] {0, 0, 0, 1, 1})),
                row("HEADERS on a stream that the client has reset", Frame.STREAM_CLOSED, post(1, "/wait"),
                        Frame.rst(1, Frame.CANCEL), get(1, "/")),
                row("another frame within a header block", Frame.PROTOCOL_ERROR,
                        new Frame(Frame.HEADERS, 0, 1, new byte[] {(byte) 0x82}), Frame.ping()),
                row("CONTINUATION behind nothing", Frame.PROTOCOL_ERROR,
                        new Frame(Frame.CONTINUATION, Frame.END_HEADERS, 1, new byte[0])),
                row("CONTINUATION of another stream", Frame.PROTOCOL_ERROR,
                        new Frame(Frame.HEADERS, 0, 1, new byte[] {(byte) 0x82}),
                        new Frame(Frame.CONTINUATION, Frame.END_HEADERS, 3, new byte[0])),
                row("an index that is not there", COMPRESSION_ERROR,
                        new Frame(Frame.HEADERS, 5, 1, new byte[] {(byte) 0xC0})),
                row("a text that is cut off", COMPRESSION_ERROR,
                        new Frame(Frame.HEADERS, 5, 1, new byte[] {0, 5, 'a'})),
                row("a dynamic table that is too large", COMPRESSION_ERROR,
                        new Frame(Frame.HEADERS, 5, 1, new byte[] {0x3F, -1, -1, 3})),
                row("PRIORITY on no stream", Frame.PROTOCOL_ERROR,
                        new Frame(Frame.PRIORITY, 0, 0, new byte[5])),
                row("RST_STREAM on an idle stream", Frame.PROTOCOL_ERROR, Frame.rst(1, Frame.CANCEL)),
                row("RST_STREAM that is too long", FRAME_SIZE_ERROR, post(1, "/wait"),
                        new Frame(Frame.RST_STREAM, 0, 1, new byte[5])),
                row("SETTINGS on a stream", Frame.PROTOCOL_ERROR,
                        new Frame(Frame.SETTINGS, 0, 1, new byte[0])),
                row("SETTINGS of half a setting", FRAME_SIZE_ERROR,
                        new Frame(Frame.SETTINGS, 0, 0, new byte[3])),
                row("an ACK that says something", FRAME_SIZE_ERROR,
                        new Frame(Frame.SETTINGS, Frame.ACK, 0, new byte[6])),
                row("ENABLE_PUSH that is neither 0 nor 1", Frame.PROTOCOL_ERROR, Frame.settings(2, 2)),
                row("an initial window beyond 31 bits", Frame.FLOW_CONTROL_ERROR,
                        Frame.settings(4, Integer.MIN_VALUE)),
                row("an initial window with which a stream's is beyond 31 bits", Frame.FLOW_CONTROL_ERROR,
                        get(1, "/wait"), Frame.windowUpdate(1, Integer.MAX_VALUE - 65_535),
                        Frame.settings(4, 65_536)),
                row("frames that are too small", Frame.PROTOCOL_ERROR, Frame.settings(5, 16_383)),
                row("PUSH_PROMISE", Frame.PROTOCOL_ERROR, post(1, "/wait"),
                        new Frame(Frame.PUSH_PROMISE, Frame.END_HEADERS, 1, new byte[] {0, 0, 0, 2})),
                row("PING on a stream", Frame.PROTOCOL_ERROR, new Frame(Frame.PING, 0, 1, new byte[8])),
                row("PING that is too short", FRAME_SIZE_ERROR, new Frame(Frame.PING, 0, 0, new byte[7])),
                row("a window that is made no larger", Frame.PROTOCOL_ERROR, Frame.windowUpdate(0, 0)),
                row("a window beyond 31 bits", Frame.FLOW_CONTROL_ERROR,
                        Frame.windowUpdate(0, Integer.MAX_VALUE)),
                row("WINDOW_UPDATE on an idle stream", Frame.PROTOCOL_ERROR, Frame.windowUpdate(1, 2000)),
                row("WINDOW_UPDATE of nothing on an idle stream", Frame.PROTOCOL_ERROR,
                        get(1, "/"), Frame.windowUpdate(5, 0)),
                row("PRIORITY that is too short on an idle stream", FRAME_SIZE_ERROR,
                        new Frame(Frame.PRIORITY, 0, 1, new byte[4])),
                row("a frame that is too large", FRAME_SIZE_ERROR, post(1, "/wait"),
                        data(1, false, "a".repeat(16_385))));
    }

    private static Arguments row(String name, int expected, Frame... frames) {
        return Arguments.of(name, expected, frames);
    }

    /** RFC 9113 section 6.8: clients repeat the requests on later streams elsewhere, and only those. */
    @ParameterizedTest(name = "{0}")
    @MethodSource
    void goAwayNamesTheLastStreamThatArrived(String name, int last, Frame... frames) throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            client.assertAlive(1);
            client.assertAlive(3);
            client.assertAlive(5);
            client.send(frames);

            assertThat(client.lastFrame().lastStream()).isEqualTo(last);
        }
    }

    static Stream<Arguments> goAwayNamesTheLastStreamThatArrived() {
        return Stream.of(
                row("PING that is too short", 5, new Frame(Frame.PING, 0, 0, new byte[3])),
                row("a window that is made no larger", 5, Frame.windowUpdate(0, 0)),
                row("DATA on no stream", 5, data(0, true, "a")),
                row("SETTINGS of half a setting", 5, new Frame(Frame.SETTINGS, 0, 0, new byte[3])),
                row("HEADERS on a stream of the server's", 5, get(8, "/")),
                row("HEADERS on a stream behind later ones", 5, get(3, "/")),
                row("CONTINUATION behind nothing", 5,
                        new Frame(Frame.CONTINUATION, Frame.END_HEADERS, 7, new byte[0])),
                row("an index that is not there", 7,
                        new Frame(Frame.HEADERS, 5, 7, new byte[] {(byte) 0xC0})),
                row("another frame within a header block", 7,
                        new Frame(Frame.HEADERS, 0, 7, new byte[] {(byte) 0x82}), Frame.ping()),
                row("CONTINUATION of another stream", 7,
                        new Frame(Frame.HEADERS, 0, 7, new byte[] {(byte) 0x82}),
                        new Frame(Frame.CONTINUATION, Frame.END_HEADERS, 9, new byte[0])));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void toleratedFramesKeepTheConnection(String name, Frame... frames) throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(frames);

            client.assertAlive(9);
        }
    }

    static Stream<Arguments> toleratedFramesKeepTheConnection() {
        return Stream.of(
                Arguments.of("frames that nobody knows", new Frame[] {new Frame(77, 255, 0, new byte[9]),
                    new Frame(78, 0, 1, new byte[0])}),
                Arguments.of("settings that nobody knows", new Frame[] {Frame.settings(4711, 5, 0, 0)}),
                Arguments.of("PRIORITY on an idle stream",
                        new Frame[] {new Frame(Frame.PRIORITY, 0, 7, new byte[5])}),
                Arguments.of("GOAWAY without an error",
                        new Frame[] {new Frame(Frame.GOAWAY, 0, 0, new byte[8])}),
                Arguments.of("an ACK of nothing",
                        new Frame[] {new Frame(Frame.SETTINGS, Frame.ACK, 0, new byte[0])}),
                Arguments.of("an initial window of nothing and then of more",
                        new Frame[] {Frame.settings(4, 0), Frame.settings(4, 100_000)}),
                Arguments.of("no room for any header",
                        new Frame[] {Frame.settings(6, 0), Frame.settings(1, 0)}),
                Arguments.of("a large table", new Frame[] {Frame.settings(1, Integer.MAX_VALUE)}));
    }

    @Test
    void connectionErrorAbortsRunningRequests() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(get(1, "/wait"), get(3, "/wait"));
            await().until(() -> WAITING.size() == 2 && server.connections().count() == 1);
            client.send(Frame.windowUpdate(0, 0));

            await().until(WAITING::isEmpty);
            // The connection lingers, as the client has not closed it.
            assertThat(server.connections().count()).isEqualTo(1);
            assertThat(client.goAway()).isEqualTo(Frame.PROTOCOL_ERROR);
        }
        assertThat(server.ended()).filteredOn(ended -> ended.uri().equals("/wait")).hasSizeGreaterThan(1)
                .allMatch(ended -> ended.status() == 499 || ended.status() == 400);
    }
}
