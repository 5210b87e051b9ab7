package io.sluice.gateway.http2;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static io.sluice.gateway.http2.FrameClient.data;
import static io.sluice.gateway.http2.FrameClient.get;
import static io.sluice.gateway.http2.FrameClient.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.type.Method;
import io.sluice.gateway.HandlerServer;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that reset a stream or disconnect: the work ends, and no incomplete answer looks complete. */
class VanishedStreamIT {
    private final Queue<String> aborted = new ConcurrentLinkedQueue<>();
    private final Queue<Exchange> exchanges = new ConcurrentLinkedQueue<>();
    private final Queue<ResponseStream> streams = new ConcurrentLinkedQueue<>();
    private HandlerServer server;

    @BeforeEach
    void start() {
        server = HandlerServer.start(
                route("/", exchange -> answer(exchange, "hello")),
                route("/wait", this::note),
                route("/collect", exchange -> {
                    note(exchange);
                    exchange.readBody(_ -> aborted.add("never"));
                }),
                route("/download", exchange -> {
                    note(exchange);
                    streams.add(begin(exchange, new DefaultHttpResponse(HttpVersion.HTTP_1_1,
                            HttpResponseStatus.OK)));
                }),
                route("/soon", Set.of(Method.GET), Duration.ofMillis(200), exchange -> {
                    note(exchange);
                    begin(exchange, new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
                }),
                route("/short", exchange -> {
                    var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
                    head.headers().set("content-length", 5);
                    begin(exchange, head).end();
                }));
    }

    private void note(Exchange exchange) {
        exchange.onAbort(() -> aborted.add(exchange.path()));
        exchanges.add(exchange);
    }

    private static ResponseStream begin(Exchange exchange, DefaultHttpResponse head) {
        ResponseStream stream = exchange.stream(head);
        stream.write(Unpooled.copiedBuffer("half", StandardCharsets.US_ASCII));
        return stream;
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/wait", "/collect", "/download"})
    void aStreamThatTheClientResetsIsAbortedAlone(String path) throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(post(1, path), data(1, false, "a"), post(3, "/wait"));
            await().until(() -> exchanges.size() == 2);
            client.send(Frame.rst(1, Frame.CANCEL)).assertAlive(5);

            assertThat(aborted).containsExactly(path);
            assertEnded(path, 499);
            assertThat(answer(exchanges.remove(), "too late")).isFalse();
            answer(exchanges.remove(), "in time");
            assertThat(client.answer(3).body()).isEqualTo("in time");
        }
    }

    @Test
    void allStreamsOfAConnectionThatEndsAreAborted() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(get(1, "/wait"), post(3, "/collect"), data(3, false, "a"), get(5, "/download"));
            await().until(() -> exchanges.size() == 3);
        }
        await().until(() -> server.ended().size() == 3);

        assertThat(aborted).containsExactlyInAnyOrder("/wait", "/collect", "/download");
        assertThat(server.ended()).allMatch(ended -> ended.status() == 499);
    }

    @Test
    void anAnswerThatFailsInTheMiddleIsReset() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(get(1, "/download"));
            await().until(() -> !streams.isEmpty());
            exchanges.remove().fail(new IllegalStateException("on purpose"));

            assertCutOff(client);
            assertEnded("/download", 500);
        }
    }

    @Test
    void anAnswerThatIsNotDoneInTimeIsReset() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(get(1, "/soon"));

            assertCutOff(client);
            assertEnded("/soon", 504);
            assertThat(aborted).containsExactly("/soon");
        }
    }

    @Test
    void anAnswerThatIsShorterThanItSaysIsReset() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(get(1, "/short"));

            assertCutOff(client);
        }
    }

    private static void assertCutOff(FrameClient client) throws IOException {
        assertThat(client.await(Frame.HEADERS, 1).has(Frame.END_STREAM)).isFalse();
        Frame next = client.read();
        for (; next.is(Frame.DATA); next = client.read()) {
            assertThat(next.has(Frame.END_STREAM)).isFalse();
        }
        assertThat(next.is(Frame.RST_STREAM)).as(next.toString()).isTrue();
        assertThat(next.number()).isEqualTo(Frame.INTERNAL_ERROR);
        client.assertAlive(3);
    }

    private void assertEnded(String uri, int status) {
        assertThat(server.ended()).filteredOn(ended -> ended.uri().equals(uri)).singleElement()
                .extracting(HandlerServer.Ended::status).isEqualTo(status);
    }
}
