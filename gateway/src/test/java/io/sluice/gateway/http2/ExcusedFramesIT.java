package io.sluice.gateway.http2;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static io.sluice.gateway.http2.FrameClient.get;
import static io.sluice.gateway.http2.FrameClient.post;
import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.handlers.Exchange;
import java.io.IOException;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Frames that ordinary clients send in numbers: no flood. */
class ExcusedFramesIT {
    private static final int MAX_STREAMS = 50;
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int TIMES = 100;

    private final Queue<Exchange> waiting = new ConcurrentLinkedQueue<>();
    private HandlerServer server;

    @BeforeEach
    void start() {
        server = HandlerServer.start(Map.of(
                        "sluice.http2.max-concurrent-streams", "" + MAX_STREAMS,
                        "sluice.http2.max-resets", "20",
                        "sluice.http2.max-control-frames", "150",
                        "sluice.http2.interval", "1h"),
                route("/", exchange -> answer(exchange, "hello")),
                route("/long", exchange -> answer(exchange, "a".repeat(10 * TIMES))),
                route("/wait", waiting::add));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** As those of Elixir's Mint. */
    @Test
    void areWindowUpdatesThatAnswerData() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            for (int stream = 1; stream < 2 * TIMES; stream += 2) {
                client.send(get(stream, "/"));
                assertThat(client.answer(stream).status()).isEqualTo(200);
                client.send(Frame.windowUpdate(0, 5), Frame.windowUpdate(stream, 5));
            }
            client.assertAlive(1001);
        }
    }

    @Test
    void areNoWindowUpdatesThatCutDataIntoPieces() throws IOException {
        try (FrameClient client = FrameClient.connect(server, INITIAL_WINDOW_SIZE, 1)) {
            client.send(get(1, "/long"));
            client.send(nCopies(2 * TIMES, Frame.windowUpdate(1, 1)).toArray(Frame[]::new));

            assertThat(client.goAway()).isEqualTo(Frame.ENHANCE_YOUR_CALM);
        }
    }

    /** As of gRPC clients, if the server ends a call first. */
    @Test
    void areResetsBehindTheEndOfAResponse() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            for (int stream = 1; stream < 2 * TIMES; stream += 2) {
                client.send(post(stream, "/"));
                assertThat(client.answer(stream).status()).isEqualTo(200);
                client.send(Frame.rst(stream, Frame.NO_ERROR));
            }
            client.assertAlive(1001);
        }
    }

    /** The client does not know yet how many it may open (RFC 9113 section 6.5.2). */
    @Test
    void areStreamsBeforeTheSettingsAreKnown() throws IOException {
        Frame[] requests = IntStream.range(0, 2 * MAX_STREAMS)
                .mapToObj(i -> get(2 * i + 1, "/wait")).toArray(Frame[]::new);
        try (FrameClient client = FrameClient.open(new RawClient(server.port()).send(FrameClient.PREFACE))) {
            client.send(Stream.concat(Stream.of(Frame.settings()), Stream.of(requests))
                    .toArray(Frame[]::new));
            for (int i = MAX_STREAMS; i < 2 * MAX_STREAMS; i++) {
                assertThat(client.resetOf(2 * i + 1)).isEqualTo(Frame.REFUSED_STREAM);
            }
            await().until(() -> waiting.size() == MAX_STREAMS);
            waiting.forEach(exchange -> answer(exchange, "done"));
            for (int i = 0; i < MAX_STREAMS; i++) {
                assertThat(client.answer(2 * i + 1).body()).isEqualTo("done");
            }
        }
    }
}
