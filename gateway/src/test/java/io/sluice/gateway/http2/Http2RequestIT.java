package io.sluice.gateway.http2;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static io.sluice.gateway.http2.FrameClient.data;
import static io.sluice.gateway.http2.FrameClient.get;
import static io.sluice.gateway.http2.FrameClient.headers;
import static io.sluice.gateway.http2.FrameClient.post;
import static io.sluice.gateway.http2.FrameClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.type.Method;
import io.sluice.gateway.HandlerServer;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.http.EchoHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and answers over HTTP/2, as frames. */
class Http2RequestIT {
    private static HandlerServer server;
    private FrameClient client;

    @BeforeAll
    static void start() {
        server = HandlerServer.start(
                route("/", exchange -> answer(exchange, "hello")),
                route("/echo", new EchoHandler()),
                route("/collect", exchange -> exchange.readBody(body -> answer(exchange,
                        exchange.hasBody() + " " + body.toString(StandardCharsets.ISO_8859_1)))),
                route("/fields", exchange -> answer(exchange, String.join("|",
                        exchange.headers().getAll("Host").toString(),
                        exchange.headers().getAll("Cookie").toString(), exchange.headers().get("X-A", "")))),
                route("/later/{ms}", exchange -> exchange.eventLoop().schedule(
                        () -> answer(exchange, exchange.pathParameter("ms")),
                        Long.parseLong(exchange.pathParameter("ms")), TimeUnit.MILLISECONDS)),
                route("/stream", Http2RequestIT::stream),
                route("/none", Http2RequestIT::stream),
                route("/status/{status}", exchange -> exchange.respond(status(exchange))),
                route("/bodyless/{status}", exchange -> exchange.respond(
                        HttpResponseStatus.valueOf(Integer.parseInt(exchange.pathParameter("status"))),
                        "text/plain", Unpooled.copiedBuffer("a body", StandardCharsets.US_ASCII))),
                route("/bodyless/{status}/stream", Http2RequestIT::streamBodyless),
                route("/brief", Set.of(Method.POST), Duration.ofMillis(200),
                        exchange -> exchange.readBody(_ -> answer(exchange, ""))),
                route("/post", Set.of(Method.POST), Duration.ofSeconds(9), exchange -> answer(exchange, "")));
    }

    private static void stream(Exchange exchange) {
        ResponseStream stream = exchange.stream(
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        if (exchange.path().equals("/stream")) {
            stream.write(Unpooled.copiedBuffer("one ", StandardCharsets.US_ASCII));
            stream.write(Unpooled.copiedBuffer("two", StandardCharsets.US_ASCII));
        }
        stream.end();
    }

    private static void streamBodyless(Exchange exchange) {
        var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(Integer.parseInt(exchange.pathParameter("status"))));
        head.headers().set("content-length", "6");
        ResponseStream stream = exchange.stream(head);
        stream.write(Unpooled.copiedBuffer("a body", StandardCharsets.US_ASCII));
        stream.end();
    }

    private static FullHttpResponse status(Exchange exchange) {
        var status = HttpResponseStatus.valueOf(Integer.parseInt(exchange.pathParameter("status")));
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER);
        response.headers().set("Row-Limit", "5").set("Connection", "close").set("Keep-Alive", "timeout=5")
                .set("Transfer-Encoding", "chunked").set("Upgrade", "x");
        return response;
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
    void responsesHaveTheCommonHeaders() throws IOException {
        FrameClient.Answer answer = client.send(get(1, "/", "x-request-id", "abc")).answer(1);

        assertThat(answer.body()).isEqualTo("hello");
        assertThat(answer.headers()).containsOnlyKeys(":status", "content-type", "content-length", "server",
                        "date", "x-request-id", "x-content-type-options").containsEntry(":status", "200")
                .containsEntry("content-length", "5").containsEntry("server", "sluice")
                .containsEntry("x-request-id", "abc").containsEntry("x-content-type-options", "nosniff");
        assertThat(answer.headers().get("date")).endsWith("GMT");
    }

    @Test
    void streamsAreAnsweredOutOfOrder() throws IOException {
        client.send(get(1, "/later/300"), get(3, "/later/150"), get(5, "/"));

        assertThat(client.answer(5).body()).isEqualTo("hello");
        assertThat(client.await(Frame.HEADERS, 3).stream()).isEqualTo(3);
        assertThat(client.answer(1).body()).isEqualTo("300");
    }

    /** The request's authority is a. All other cases of CORS are in CorsIT. */
    @ParameterizedTest
    @CsvSource({"origin, http://a, 200", "origin, https://evil.example, 403",
        "sec-fetch-site, cross-site, 403"})
    void changesAreForPagesOfThisOrigin(String name, String value, int status) throws IOException {
        assertThat(client.send(headers(1, true, request("POST", "/post", name, value))).answer(1).status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"GET, /none", "HEAD, /", "HEAD, /stream", "HEAD, /none", "OPTIONS, *", "OPTIONS, /"})
    void anAnswerWithoutABodyIsOneFrame(String method, String path) throws IOException {
        Frame answer = client.send(headers(1, true, request(method, path))).await(Frame.HEADERS, 1);

        assertThat(answer.has(Frame.END_STREAM)).isTrue();
        assertThat(client.headers(answer).get(":status")).startsWith("20");
        client.assertAlive(3);
    }

    /** RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5. */
    @ParameterizedTest
    @CsvSource({"204, ''", "205, ''", "304, ''", "204, /stream", "205, /stream", "304, /stream"})
    void aStatusWithoutABodyIsOneFrame(int status, String how) throws IOException {
        String path = "/bodyless/" + status + how;
        Frame answer = client.send(get(1, path)).await(Frame.HEADERS, 1);

        assertThat(answer.has(Frame.END_STREAM)).isTrue();
        if (status != 304) {
            assertThat(client.headers(answer).get("content-length")).isEqualTo(status == 205 ? "0" : null);
        }
        client.assertAlive(3);
    }

    @Test
    void headHasTheContentLengthOfGet() throws IOException {
        assertThat(client.send(headers(1, true, request("HEAD", "/"))).answer(1).headers())
                .containsEntry("content-length", "5");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 205, 304, 404, 500})
    void connectionHeadersAreRemovedFromResponses(int status) throws IOException {
        FrameClient.Answer answer = client.send(get(1, "/status/" + status)).answer(1);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.headers()).containsEntry("row-limit", "5")
                .doesNotContainKeys("connection", "keep-alive", "transfer-encoding", "upgrade");
        assertThat(answer.headers().containsKey("content-length")).isEqualTo(status != 204 && status != 304);
    }

    @Test
    void aStreamedAnswerHasNoLengthAndEnds() throws IOException {
        FrameClient.Answer answer = client.send(get(1, "/stream")).answer(1);

        assertThat(answer.body()).isEqualTo("one two");
        assertThat(answer.headers()).doesNotContainKeys("content-length", "transfer-encoding");
    }

    @Test
    void aBodyComesInFramesOfAnySize() throws IOException {
        client.send(post(1, "/collect"), data(1, false, "a"), data(1, false, ""), data(1, false, "b"),
                data(1, true, ""));
        client.send(post(3, "/collect", "content-length", "2"), data(3, true, "cd"));
        client.send(headers(5, true, request("POST", "/collect")));
        // One byte of padding, and the byte with its length.
        client.send(post(7, "/collect", "content-length", "1"),
                new Frame(Frame.DATA, 8 | Frame.END_STREAM, 7, new byte[] {1, 'e', 0}));

        assertThat(client.answer(1).body()).isEqualTo("true ab");
        assertThat(client.answer(3).body()).isEqualTo("true cd");
        assertThat(client.answer(5).body()).isEqualTo("false ");
        assertThat(client.answer(7).body()).isEqualTo("true e");
    }

    @Test
    void trailersEndABodyAndAreIgnored() throws IOException {
        client.send(post(1, "/collect"), data(1, false, "a"), headers(1, true, "x-checksum", "1"));

        assertThat(client.answer(1).body()).isEqualTo("true a");
    }

    @Test
    void expectationGets100() throws IOException {
        client.send(post(1, "/collect", "expect", "100-continue"));

        assertThat(client.answer(1).headers()).containsOnly(Map.entry(":status", "100"));
        assertThat(client.send(data(1, true, "a")).answer(1).body()).isEqualTo("true a");
    }

    @Test
    void fieldsArriveAsHttp1HasThem() throws IOException {
        client.send(get(1, "/fields", "cookie", "a=1", "cookie", "b=2; c=3", "cookie", "d=4", "x-a", "1\t2"));
        client.send(headers(3, true, ":method", "GET", ":scheme", "http", ":path", "/fields?a=b",
                "host", "b:8080", "te", "trailers"));
        client.send(get(5, "/fields", "host", "A"));

        assertThat(client.answer(1).body()).isEqualTo("[a]|[a=1; b=2; c=3; d=4]|1\t2");
        assertThat(client.answer(3).body()).isEqualTo("[b:8080]|[]|");
        assertThat(client.answer(5).body()).isEqualTo("[a]|[]|");
    }

    @Test
    void aRequestThatIsAnsweredBeforeItsEndNeedNotGoOn() throws IOException {
        client.send(post(1, "/nowhere"), data(1, false, "a"));

        assertThat(client.answer(1).status()).isEqualTo(404);
        assertThat(client.resetOf(1)).isEqualTo(Frame.NO_ERROR);
        client.send(data(1, false, "b".repeat(10_000)), data(1, false, ""), headers(1, true, "x-a", "b"));
        client.assertAlive(3);
    }

    @Test
    void aBodyThatDoesNotComeInTimeIsAnsweredAndNeedNotGoOn() throws IOException {
        client.send(post(1, "/brief"), data(1, false, "a"));

        assertThat(client.answer(1).status()).isEqualTo(504);
        assertThat(client.resetOf(1)).isEqualTo(Frame.NO_ERROR);
    }

    @Test
    void wrongLengthBehindAnEarlyResponseIsReset() throws IOException {
        var resets = new HashSet<Integer>();
        // at least one of the frames arrives before the stream is closed
        for (int stream = 1; stream < 10; stream += 2) {
            client.send(post(stream, "/nowhere", "content-length", "5"));
            client.answer(stream);
            client.send(data(stream, true, "a"));
            resets.add(client.resetOf(stream));
        }

        assertThat(resets).contains(Frame.PROTOCOL_ERROR);
    }

    @ParameterizedTest(name = "{0} {1} to {2}")
    @CsvSource({"GET, /nowhere, 404", "GET, /post, 405", "FOO, /, 405", "FOO, /nowhere, 404",
        "GET, /%zz, 400", "GET, /#a, 400", "GET, /a b, 400"})
    void invalidRequestsGetAProblem(String method, String path, int status) throws IOException {
        FrameClient.Answer answer = client.send(headers(1, true, request(method, path))).answer(1);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.headers()).containsEntry("content-type", "application/problem+json");
        client.assertAlive(3);
    }
}
