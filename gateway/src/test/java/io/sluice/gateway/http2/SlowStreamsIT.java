package io.sluice.gateway.http2;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static io.sluice.gateway.http2.FrameClient.data;
import static io.sluice.gateway.http2.FrameClient.get;
import static io.sluice.gateway.http2.FrameClient.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.type.Method;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.net.Transport;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.http.EchoHandler;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Streams with slow clients, beside other streams of the same connection. */
class SlowStreamsIT {
    private static final int[] NO_WINDOW = {4, 0};
    private static final int STREAMS = 100;
    private static final int OK = 200;
    private static final int GONE = 499;
    private static final Map<String, String> PACE = Map.of("sluice.server.timeouts.stall", "1s",
            "sluice.server.timeouts.min-rate", "1000");

    private final AtomicInteger aborted = new AtomicInteger();
    private HandlerServer server;
    private long before;

    @BeforeEach
    void start() {
        server = HandlerServer.start(PACE,
                route("/", exchange -> answer(exchange, "hello")),
                route("/large", exchange -> answer(exchange, "a".repeat(200_000))),
                route("/endless", this::endless),
                route("/in-two", SlowStreamsIT::inTwo),
                route("/collect", exchange -> exchange.readBody(body -> answer(exchange, "all of it"))),
                route("/echo", new EchoHandler()));
        before = Transport.ALLOCATOR.pinnedDirectMemory();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Streams an answer for as long as the client reads, up to a limit. */
    private void endless(Exchange exchange) {
        ResponseStream stream = begin(exchange);
        exchange.onAbort(aborted::incrementAndGet);
        var left = new AtomicInteger(1000);
        Runnable write = () -> {
            while (stream.isWritable() && left.decrementAndGet() > 0) {
                stream.write(exchange.alloc().buffer(8192).writeZero(8192));
            }
        };
        stream.onWritable(write);
        write.run();
    }

    /** Sends one part of an answer at once, and another one after the time in which clients must read. */
    private static void inTwo(Exchange exchange) {
        ResponseStream stream = begin(exchange);
        stream.write(exchange.alloc().buffer(5).writeBytes("first".getBytes()));
        exchange.eventLoop().schedule(() -> {
            stream.write(exchange.alloc().buffer(5).writeBytes(" last".getBytes()));
            stream.end();
        }, 3500, TimeUnit.MILLISECONDS);
    }

    private static ResponseStream begin(Exchange exchange) {
        return exchange.stream(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
    }

    private long held() {
        return Transport.ALLOCATOR.pinnedDirectMemory() - before;
    }

    @Test
    void responsesWithoutAWindowAreCutOff() throws IOException {
        try (FrameClient client = FrameClient.connect(server, NO_WINDOW)) {
            for (int n = 0; n < STREAMS; n++) {
                client.send(get(2 * n + 1, n % 2 == 0 ? "/endless" : "/large"));
            }
            for (int n = 0; n < STREAMS; n++) {
                assertThat(client.resetOf(2 * n + 1)).isEqualTo(Frame.CANCEL);
            }
            server.settle();
            assertThat(aborted).hasValue(STREAMS / 2);
            assertThat(server.ended().stream().filter(ended -> ended.uri().equals("/endless")))
                    .hasSize(STREAMS / 2).allMatch(ended -> ended.status() == GONE);
            assertThat(server.ended().stream().filter(ended -> ended.uri().equals("/large")))
                    .hasSize(STREAMS / 2).allMatch(ended -> ended.status() == OK);
            await().until(() -> held() < 64 * 1024);

            client.send(get(201, "/"), Frame.windowUpdate(201, 5));
            assertThat(client.answer(201).body()).isEqualTo("hello");
        }
    }

    @Test
    void responsesAreCutOffIfTheConnectionWindowIsExhausted() throws IOException {
        try (FrameClient client = FrameClient.connect(server, 4, Integer.MAX_VALUE)) {
            client.send(get(1, "/endless"), get(3, "/large"));

            assertThat(client.resetOf(1)).isEqualTo(Frame.CANCEL);
            assertThat(client.resetOf(3)).isEqualTo(Frame.CANCEL);
        }
    }

    @Test
    void streamsBelowTheMinimumRateAreReset() throws IOException {
        try (var slow = HandlerServer.withClock(PACE, route("/endless", this::endless),
                        route("/", exchange -> answer(exchange, "hello")));
                FrameClient client = FrameClient.connect(slow, NO_WINDOW)) {
            client.send(get(1, "/endless"), get(3, "/endless"));
            while (aborted.get() == 0) {
                slow.pass(Duration.ofMillis(100));
                client.send(Frame.windowUpdate(1, 10), Frame.windowUpdate(3, 1_000));
            }

            assertThat(client.resetOf(1)).isEqualTo(Frame.CANCEL);
            assertThat(aborted).hasValue(1);
            client.send(get(5, "/"), Frame.windowUpdate(5, 5));
            assertThat(client.answer(5).body()).isEqualTo("hello");
        }
    }

    /** A deadline limits the work of making an answer, not its transmission, as over HTTP/1.1. */
    @Test
    void aWholeAnswerLivesAsLongAsItMovesAtTheMinimumRate() throws IOException {
        int length = 10_000;
        int each = 250;
        try (var slow = HandlerServer.withClock(PACE, route("/", Set.of(Method.GET), Duration.ofSeconds(1),
                        exchange -> answer(exchange, "a".repeat(length))));
                FrameClient client = FrameClient.connect(slow, NO_WINDOW)) {
            client.send(get(1, "/"));
            for (int moved = 0; moved < length; moved += each) {
                slow.pass(Duration.ofMillis(100));
                client.send(Frame.windowUpdate(1, each));
            }

            assertThat(client.answer(1).body()).hasSize(length);
            assertThat(slow.ended()).singleElement().extracting(HandlerServer.Ended::status).isEqualTo(OK);
        }
    }

    @Test
    void afterTheirDeadlineWholeAnswersHaveToMoveEachByItself() throws IOException {
        int length = 1_000_000;
        int streams = 50;
        var pace = Map.of("sluice.server.timeouts.stall", "1s", "sluice.server.timeouts.min-rate", "10000");
        try (var slow = HandlerServer.withClock(pace, route("/", Set.of(Method.GET), Duration.ofSeconds(1),
                        exchange -> exchange.respond(HttpResponseStatus.OK, "text/plain",
                                exchange.alloc().directBuffer(length).writeZero(length))));
                FrameClient client = FrameClient.connect(slow, 4, Integer.MAX_VALUE)) {
            client.send(Frame.windowUpdate(0, Integer.MAX_VALUE - 65_535));
            for (int n = 0; n < streams; n++) {
                client.send(get(2 * n + 1, "/"));
            }
            await().until(() -> slow.ended().size() == streams);
            int half = streams * length / 2;
            Socket socket = client.socket().socket();
            socket.setSoTimeout(1_000);
            for (int n = 0; n < 5; n++) {
                readWhatComes(socket.getInputStream(), 400_000); // at most 8,000 bytes of each stream
                slow.pass(Duration.ofSeconds(1));
            }

            await().until(() -> Transport.ALLOCATOR.pinnedDirectMemory() - before < half);
            assertThat(slow.connections().count()).isOne();
        }
    }

    private static void readWhatComes(InputStream from, int length) throws IOException {
        try {
            from.readNBytes(length);
        } catch (SocketTimeoutException e) {
            // nothing more arrives
        }
    }

    @Test
    void responseThatPausesIsNotCutOff() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(get(1, "/in-two"));

            assertThat(client.answer(1).body()).isEqualTo("first last");
        }
    }

    @Test
    void stalledBodiesTimeOut() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(post(1, "/collect"), data(1, false, "some"));
            client.send(post(3, "/echo"), data(3, false, "some"));

            assertThat(client.answer(1).status()).isEqualTo(408);
            assertThat(client.resetOf(3)).isEqualTo(Frame.INTERNAL_ERROR);
            client.assertAlive(5);
        }
        assertThat(server.ended().stream().filter(ended -> ended.status() == 408)).hasSize(2);
    }

    @Test
    void aFrameMayTakeLongerIfItMovesAtTheMinimumRate() throws IOException {
        byte[] frame = data(1, true, "a".repeat(10_000)).bytes();
        try (var slow = HandlerServer.withClock(PACE, route("/", exchange ->
                        exchange.readBody(body -> answer(exchange, "all of it"))));
                FrameClient client = FrameClient.connect(slow)) {
            client.send(post(1, "/"));
            for (int sent = 0; sent < frame.length; sent += 250) {
                slow.pass(Duration.ofMillis(100));
                client.socket().send(Arrays.copyOfRange(frame, sent, Math.min(frame.length, sent + 250)));
            }

            assertThat(client.answer(1).body()).isEqualTo("all of it");
        }
    }

    @Test
    void unreadTimeoutResponsesAreReset() throws IOException {
        try (FrameClient client = FrameClient.connect(server, NO_WINDOW)) {
            client.send(post(1, "/collect"), data(1, false, "some"));

            assertThat(client.headers(client.await(Frame.HEADERS, 1))).containsEntry(":status", "408");
            assertThat(client.resetOf(1)).isEqualTo(Frame.CANCEL);
        }
    }
}
