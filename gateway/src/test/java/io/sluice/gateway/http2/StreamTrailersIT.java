package io.sluice.gateway.http2;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static io.sluice.gateway.http2.FrameClient.data;
import static io.sluice.gateway.http2.FrameClient.get;
import static io.sluice.gateway.http2.FrameClient.headers;
import static io.sluice.gateway.http2.FrameClient.post;
import static io.sluice.gateway.http2.FrameClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.type.Method;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.exchange.TrailerMirror;
import io.sluice.handlers.Exchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trailers and informational responses: further HEADERS frames of a stream. */
class StreamTrailersIT {
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final TrailerMirror MIRROR = new TrailerMirror();
    private static HandlerServer server;
    private FrameClient client;

    @BeforeAll
    static void start() {
        server = HandlerServer.start(
                route("/", exchange -> answer(exchange, "hello")),
                route("/mirror", Set.of(Method.POST, Method.HEAD), Duration.ofSeconds(60),
                        MIRROR::handle),
                route("/collect", exchange -> exchange.readBody(
                        body -> answer(exchange, body.toString(StandardCharsets.US_ASCII)))),
                route("/hints", StreamTrailersIT::hint),
                route("/later", exchange -> {
                    exchange.streamBody(new Waiting(exchange));
                    inform(exchange, HttpResponseStatus.PROCESSING);
                    inform(exchange, HttpResponseStatus.CONTINUE);
                }),
                route("/continue", exchange -> {
                    inform(exchange, HttpResponseStatus.CONTINUE);
                    exchange.readBody(body -> answer(exchange, body.toString(StandardCharsets.US_ASCII)));
                }));
    }

    /** A reader that leaves it to the handler to send 100. */
    private record Waiting(Exchange exchange) implements Exchange.BodyReader {
        @Override
        public boolean sendsContinue() {
            return false;
        }

        @Override
        public boolean content(ByteBuf content) {
            content.release();
            return true;
        }

        @Override
        public void end(HttpHeaders trailers) {
            answer(exchange, "read");
        }
    }

    private static void hint(Exchange exchange) {
        inform(exchange, HttpResponseStatus.EARLY_HINTS);
        Thread.ofVirtual().start(() -> {
            inform(exchange, HttpResponseStatus.PROCESSING);
            answer(exchange, "hello");
            inform(exchange, HttpResponseStatus.PROCESSING);
        });
    }

    private static void inform(Exchange exchange, HttpResponseStatus status) {
        var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        head.headers().set("Link", "</a.css>");
        exchange.inform(head);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() throws IOException {
        client = FrameClient.connect(server);
    }

    @AfterEach
    void disconnect() throws IOException {
        client.close();
    }

    @Test
    void trailersArePassedBothWays() throws IOException {
        byte[] block = FrameClient.block("x-sum", "1", "content-length", "5", "y", "", "host", "b");
        client.send(post(1, "/mirror"), data(1, false, "hello"),
                new Frame(Frame.HEADERS, Frame.END_STREAM, 1, Arrays.copyOf(block, 9)),
                new Frame(Frame.CONTINUATION, Frame.END_HEADERS, 1,
                        Arrays.copyOfRange(block, 9, block.length)));

        assertThat(client.await(Frame.HEADERS, 1).has(Frame.END_STREAM)).isFalse();
        Frame body = client.await(Frame.DATA, 1);
        assertThat(new String(body.payload(), StandardCharsets.US_ASCII)).isEqualTo("hello");
        assertThat(body.has(Frame.END_STREAM)).isFalse();
        assertTrailers(Map.of("x-sum", "1", "y", ""), 1);
        client.assertAlive(3);
    }

    @Test
    void trailersFollowAnEmptyBody() throws IOException {
        client.send(post(1, "/mirror"), headers(1, true, "x", "1"));

        assertThat(client.await(Frame.HEADERS, 1).has(Frame.END_STREAM)).isFalse();
        assertTrailers(Map.of("x", "1"), 1);
    }

    @Test
    void waitBehindABodyThatWaitsForItsWindow() throws IOException {
        client.send(Frame.settings(INITIAL_WINDOW_SIZE, 3));
        client.await(Frame.SETTINGS, 0);
        client.send(post(1, "/mirror"), data(1, false, "hello"), headers(1, true, "x", "1"));
        client.await(Frame.HEADERS, 1);
        assertThat(client.await(Frame.DATA, 1).payload()).hasSize(3);
        client.send(Frame.windowUpdate(1, 9));

        assertThat(client.await(Frame.DATA, 1).payload()).hasSize(2);
        assertTrailers(Map.of("x", "1"), 1);
    }

    private void assertTrailers(Map<String, String> fields, int stream) throws IOException {
        Frame trailers = client.await(Frame.HEADERS, stream);
        assertThat(trailers.has(Frame.END_STREAM)).isTrue();
        assertThat(client.headers(trailers)).isEqualTo(fields);
    }

    @Test
    void requestsWithoutTrailersShareTheEmptyHeaders() throws IOException {
        MIRROR.received.clear();
        client.send(post(1, "/mirror"), data(1, true, "a"));

        assertThat(client.answer(1).body()).isEqualTo("a");
        assertThat(MIRROR.received).singleElement().isSameAs(EmptyHttpHeaders.INSTANCE);
    }

    @ParameterizedTest
    @CsvSource({"HEAD, /mirror", "POST, /mirror?status=204", "POST, /mirror?status=304"})
    void areDroppedWhereAnAnswerHasNoBody(String method, String path) throws IOException {
        client.send(headers(1, false, request(method, path)), data(1, false, "a"),
                headers(1, true, "x", "1"));

        assertThat(client.await(Frame.HEADERS, 1).has(Frame.END_STREAM)).isTrue();
        client.assertAlive(3);
    }

    @Test
    void areAsManyAsHeadersMayBe() throws IOException {
        client.send(post(1, "/collect"), data(1, false, "a"), headers(1, true, fields(100)),
                post(3, "/collect"), data(3, false, "a"), headers(3, true, fields(101)));

        assertThat(client.answer(1).status()).isEqualTo(200);
        assertThat(client.answer(3).status()).isEqualTo(431);
        client.assertAlive(5);
    }

    private static String[] fields(int count) {
        return Collections.nCopies(2 * count, "x").toArray(new String[0]);
    }

    // --- informational responses

    @Test
    void informationalAnswersComeBeforeTheAnswer() throws IOException {
        client.send(get(1, "/hints"));

        assertThat(client.answer(1).headers()).isEqualTo(Map.of(":status", "103", "link", "</a.css>"));
        assertThat(client.answer(1).headers()).isEqualTo(Map.of(":status", "102", "link", "</a.css>"));
        assertThat(client.answer(1).body()).isEqualTo("hello");
        client.assertAlive(3);
    }

    @Test
    void aHandlerSends100BeforeReadingDoes() throws IOException {
        client.send(post(1, "/continue", "expect", "100-continue"));

        assertThat(client.answer(1).status()).isEqualTo(100);
        assertThat(client.send(data(1, true, "a")).answer(1).body()).isEqualTo("a");
    }

    @Test
    void aHandlerThatReadsMaySend100Later() throws IOException {
        client.send(post(1, "/later", "expect", "100-continue"));

        assertThat(client.answer(1).status()).isEqualTo(102);
        assertThat(client.answer(1).status()).isEqualTo(100);
        assertThat(client.send(data(1, true, "a")).answer(1).body()).isEqualTo("read");
    }
}
