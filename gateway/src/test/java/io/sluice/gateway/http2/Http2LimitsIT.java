package io.sluice.gateway.http2;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static io.sluice.gateway.http2.FrameClient.data;
import static io.sluice.gateway.http2.FrameClient.get;
import static io.sluice.gateway.http2.FrameClient.headers;
import static io.sluice.gateway.http2.FrameClient.post;
import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.handlers.Exchange;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Limits of an HTTP/2 connection, and the reaction to clients that exceed them. */
class Http2LimitsIT {
    /** More bytes than the buffers of a connection hold. */
    private static final int MUCH = 1_000_000;
    private static final int HEADER_TABLE_SIZE = 1;

    private final Queue<Exchange> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();
    private HandlerServer server;

    @BeforeEach
    void start() {
        server = HandlerServer.start(Map.of(
                        "sluice.http2.max-concurrent-streams", "50",
                        "sluice.http2.max-resets", "20",
                        "sluice.http2.max-control-frames", "50",
                        "sluice.http2.interval", "1h",
                        "sluice.http2.max-unsent-replies", "30",
                        "sluice.server.send-buffer", "64KiB"),
                route("/", exchange -> answer(exchange, "hello")),
                route("/much", exchange -> answer(exchange, "a".repeat(MUCH))),
                route("/wait", exchange -> {
                    begun.incrementAndGet();
                    exchange.onAbort(() -> waiting.remove(exchange));
                    waiting.add(exchange);
                    mostAtOnce.accumulateAndGet(waiting.size(), Math::max);
                }));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** The gateway announces no table that is larger than the default, as the test's decoder would tell. */
    @Test
    void aHugeHeaderTableIsNotUsed() throws IOException {
        try (FrameClient client = FrameClient.connect(server, HEADER_TABLE_SIZE, -1)) {
            client.assertAlive(1);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void aFloodEndsTheConnection(String name, int allowed, IntFunction<Stream<Frame>> frames)
            throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(frames(0, allowed, frames)).assertAlive(1001);
            client.send(frames(1100, 60, frames));

            assertThat(client.goAway()).isEqualTo(Frame.ENHANCE_YOUR_CALM);
        }
        await().until(() -> waiting.isEmpty() && server.connections().count() == 0);
    }

    /** The frames are wrong by themselves, so that Netty's reader refuses them. */
    @ParameterizedTest
    @MethodSource
    void aFloodOnAStreamThatWasResetEndsTheConnection(Frame frame) throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(post(frame.stream(), "/wait"), frame);
            assertThat(client.resetOf(frame.stream())).isPositive();
            client.send(nCopies(18, frame).toArray(Frame[]::new)).assertAlive(1001);
            client.send(nCopies(60, frame).toArray(Frame[]::new));

            assertThat(client.goAway()).isEqualTo(Frame.ENHANCE_YOUR_CALM);
        }
    }

    static Stream<Frame> aFloodOnAStreamThatWasResetEndsTheConnection() {
        return Stream.of(Frame.windowUpdate(1, 0), new Frame(Frame.PRIORITY, 0, 1, new byte[4]));
    }

    private static Frame[] frames(int from, int count, IntFunction<Stream<Frame>> frames) {
        return IntStream.range(from, from + count).boxed().flatMap(frames::apply).toArray(Frame[]::new);
    }

    static Stream<Arguments> aFloodEndsTheConnection() {
        return Stream.of(
                row("RST_STREAM", 19, n -> Stream.of(get(id(n), "/wait"), Frame.rst(id(n), Frame.CANCEL))),
                row("streams to reset", 19, n ->
                        Stream.of(get(id(n), "/wait"), Frame.windowUpdate(id(n), 0))),
                row("malformed requests", 19, n -> Stream.of(headers(id(n), true, "x", "y"))),
                row("bodies that are too long", 19, n ->
                        Stream.of(post(id(n), "/wait", "content-length", "0"), data(id(n), false, "a"))),
                row("SETTINGS", 20, _ -> Stream.of(Frame.settings(3, 5))),
                row("PING", 20, _ -> Stream.of(Frame.ping())),
                row("PRIORITY", 45, n -> Stream.of(new Frame(Frame.PRIORITY, 0, id(n), new byte[5]))),
                row("empty DATA", 45, n -> n % 1100 == 0
                        ? Stream.of(post(id(n), "/wait"), data(id(n), false, ""))
                        : Stream.of(data(id(n / 1100 * 1100), false, ""))),
                row("small WINDOW_UPDATE", 45, _ -> Stream.of(Frame.windowUpdate(0, 1023))),
                row("unknown frames", 45, _ -> Stream.of(new Frame(99, 0, 0, new byte[9]))));
    }

    private static Arguments row(String name, int allowed, IntFunction<Stream<Frame>> frames) {
        return Arguments.of(name, allowed, frames);
    }

    private static int id(int number) {
        return 2 * number + 1;
    }

    @Test
    void largeWindowUpdatesAreNotCounted() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            for (int i = 0; i < 200; i++) {
                client.send(Frame.windowUpdate(0, 1024));
            }
            client.assertAlive(1);
        }
    }

    @Test
    void aHeaderBlockInTooManyFramesEndsTheConnection() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            Frame crumb = new Frame(Frame.CONTINUATION, 0, 1, new byte[0]);
            client.send(new Frame(Frame.HEADERS, 0, 1, FrameClient.block(FrameClient.request("GET", "/"))));
            client.send(IntStream.range(0, 20).mapToObj(_ -> crumb).toArray(Frame[]::new));

            assertThat(client.goAway()).isEqualTo(Frame.ENHANCE_YOUR_CALM);
        }
    }

    @Test
    void aHeaderBlockThatIsTwiceTooLargeEndsTheConnection() throws IOException {
        byte[] block = FrameClient.block(FrameClient.request("GET", "/", "x-a", "b".repeat(100_000)));
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(new Frame(Frame.HEADERS, 0, 1, Arrays.copyOf(block, 16_384)));
            for (int at = 16_384; at < 98_304; at += 16_384) {
                client.send(new Frame(Frame.CONTINUATION, 0, 1, Arrays.copyOfRange(block, at, at + 16_384)));
            }

            assertThat(client.goAway()).isEqualTo(Frame.PROTOCOL_ERROR);
        }
    }

    @Test
    void oneStreamTooManyIsRefusedWithItsBody() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            for (int stream = 1; stream < 101; stream += 2) {
                client.send(get(stream, "/wait"));
            }
            client.send(post(101, "/wait"), data(101, false, "a"));
            assertThat(client.resetOf(101)).isEqualTo(Frame.REFUSED_STREAM);
            assertThat(waiting).hasSize(50);
            answer(waiting.remove(), "done");
            assertThat(client.answer(1).body()).isEqualTo("done");

            // Later frames of the refused stream start no request.
            client.send(data(101, false, "b"), Frame.windowUpdate(101, 1), headers(101, true, "x", "y"));
            client.assertAlive(103);
        }
        await().until(waiting::isEmpty);
        assertThat(begun).hasValue(50);
    }

    /** Such as the uploads of a proxy, when their endpoint fails. */
    @Test
    void framesOfManyStreamsThatAreResetAtOnceAreIgnored() throws IOException {
        int many = 600;
        try (HandlerServer wide = HandlerServer.start(
                Map.of("sluice.http2.max-concurrent-streams", Integer.toString(many)),
                route("/", exchange -> answer(exchange, "hello")));
                FrameClient client = FrameClient.connect(wide)) {
            client.send(frames(0, many, n -> Stream.of(post(id(n), "/"))));
            for (int n = 0; n < many; n++) {
                assertThat(client.resetOf(id(n))).isEqualTo(Frame.NO_ERROR);
            }
            client.send(frames(0, many, n ->
                    Stream.of(data(id(n), false, "a"), headers(id(n), true, "x", "y"))));
            client.assertAlive(id(many));
        }
    }

    /** As clients of gRPC do, which measure their bandwidth. */
    @Test
    void aClientMaySendAPingBehindEachResponse() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            for (int n = 0; n < 100; n++) {
                client.send(get(id(n), "/"));
                assertThat(client.answer(id(n)).body()).isEqualTo("hello");
                client.send(Frame.ping());
            }
            client.assertAlive(1001);
        }
    }

    @Test
    void aStreamThatIsResetMakesRoomAndItsWorkIsStopped() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(frames(0, 15, n ->
                    Stream.of(get(id(n), "/wait"), Frame.rst(id(n), Frame.CANCEL)))).assertAlive(31);
        }
        assertThat(begun).hasValue(15);
        assertThat(mostAtOnce).hasValue(1);
        assertThat(waiting).isEmpty();
        assertThat(server.ended()).filteredOn(ended -> ended.status() == 499).hasSize(15);
    }

    @Test
    void aClientThatReadsNoRepliesIsGivenUp() throws Exception {
        try (var socket = new RawClient(server.port(), 4096)) {
            FrameClient client = FrameClient.greet(socket, 4, MUCH);
            client.send(get(1, "/wait"));
            await().until(() -> waiting.size() == 1);
            assertThat(server.connections().count()).isEqualTo(1);
            // The unread answer blocks the replies to the pings.
            client.send(Frame.windowUpdate(0, MUCH), get(3, "/much"));
            client.send(IntStream.range(0, 40).mapToObj(_ -> Frame.ping()).toArray(Frame[]::new));

            await().until(() -> waiting.isEmpty());
        }
    }

    /** Responses of streams that their client ends last: these streams are closed at once. */
    @Test
    void aClientThatReadsNoHeadsIsGivenUp() throws Exception {
        try (var socket = new RawClient(server.port(), 4096)) {
            FrameClient client = FrameClient.greet(socket, 4, MUCH);
            client.send(get(1, "/wait"));
            await().until(() -> waiting.size() == 1);
            client.send(Frame.windowUpdate(0, MUCH), get(3, "/much"));
            String[] head = FrameClient.request("HEAD", "/");
            client.send(frames(5, 250, n ->
                    Stream.of(FrameClient.headers(id(n), false, head), data(id(n), true, ""))));

            await().until(() -> waiting.isEmpty());
        }
    }
}
