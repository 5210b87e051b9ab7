package io.sluice.gateway.exchange;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.type.Method;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrailersIT {
    private static final String CHUNKED = " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final TrailerMirror MIRROR = new TrailerMirror();
    private static HandlerServer server;

    @BeforeAll
    static void start() {
        server = HandlerServer.start(
                route("/", exchange -> answer(exchange, "hello")),
                route("/mirror", Set.of(Method.POST, Method.HEAD), Duration.ofSeconds(60),
                        MIRROR::handle),
                route("/whole", exchange -> exchange.respond(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1,
                        HttpResponseStatus.OK, Unpooled.copiedBuffer("whole", StandardCharsets.US_ASCII),
                        headers("X", "head"), headers("X", "trailer")))),
                route("/announced", exchange -> exchange.stream(new DefaultHttpResponse(HttpVersion.HTTP_1_1,
                        HttpResponseStatus.OK, headers("Trailer", "X"))).end(headers("X", "a"))),
                route("/worker", exchange -> Thread.ofVirtual().start(() -> give(exchange, "X", "a"))),
                route("/given", exchange -> give(exchange, exchange.queryParameter("name"),
                        exchange.queryParameter("value"))));
    }

    /** Ends an answer with a trailer; if the trailer is refused, with {@code X-Refused}. */
    private static void give(Exchange exchange, String name, String value) {
        ResponseStream stream = exchange.stream(
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        try {
            stream.end(headers(name, value));
        } catch (IllegalArgumentException e) {
            stream.end(headers("X-Refused", "yes"));
        }
    }

    private static HttpHeaders headers(String name, String value) {
        return DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders().set(name, value);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void trailersArePassedBothWaysHoweverFragmented() throws IOException {
        String request = "POST /mirror" + CHUNKED
                + "5\r\nhello\r\n0\r\nX-Sum: \t a\tb \r\nx-sum:2\r\nY:\r\nZ: \u00e9\r\n\r\n";
        try (RawClient client = server.connect()) {
            for (int split = request.indexOf("0\r\n"); split < request.length(); split++) {
                client.send(request.substring(0, split));
                client.send(request.substring(split));

                RawClient.Answer answer = client.read();
                assertThat(answer.body()).isEqualTo("hello");
                assertThat(answer.trailers()).as("split at %d", split)
                        .containsExactly("X-Sum: a\tb", "x-sum: 2", "Y: ", "Z: \u00e9");
                assertThat(answer.header("X-Sum")).isNull();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {CHUNKED + "5\r\nhello\r\n0\r\n\r\n",
        " HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", " HTTP/1.1\r\nHost: a\r\n\r\n"})
    void requestsWithoutTrailersShareTheEmptyHeaders(String rest) throws IOException {
        MIRROR.received.clear();
        try (RawClient client = server.connect()) {
            assertThat(client.send("POST /mirror" + rest).read().trailers()).isEmpty();
        }
        assertThat(MIRROR.received).singleElement().isSameAs(EmptyHttpHeaders.INSTANCE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST /mirror?length=5", "POST /mirror?status=204", "POST /mirror?status=304",
        "POST /mirror?status=304&length=9", "HEAD /mirror"})
    void areDroppedWhereAnAnswerHasNoPlaceForThem(String request) throws IOException {
        try (RawClient client = server.connect()) {
            client.send(request + CHUNKED + "5\r\nhello\r\n0\r\nX: a\r\n\r\n");

            RawClient.Answer answer = request.startsWith("HEAD") ? client.readHead() : client.read();
            assertThat(answer.body()).isEqualTo(request.endsWith("length=5") ? "hello" : "");
            assertNextIsAnswered(client);
        }
    }

    /** RFC 9110 section 6.6.2. */
    @Test
    void areAnnouncedWhereTheyCome() throws IOException {
        try (RawClient client = server.connect()) {
            RawClient.Answer answer = client.send("GET /announced HTTP/1.1\r\nHost: a\r\n\r\n").read();

            assertThat(answer.header("Trailer")).isEqualTo("X");
            assertThat(answer.trailers()).containsExactly("X: a");
        }
    }

    @Test
    void areNeitherAnnouncedNorPartOfABodyThatEndsWithItsConnection() throws IOException {
        try (RawClient client = server.connect()) {
            RawClient.Answer answer = client.send("GET /announced HTTP/1.0\r\n\r\n").read();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("Trailer")).isNull();
            assertThat(answer.body()).isEmpty();
        }
    }

    @Test
    void ofAWholeAnswerAreNotSent() throws IOException {
        try (RawClient client = server.connect()) {
            RawClient.Answer answer = client.send("GET /whole HTTP/1.1\r\nHost: a\r\n\r\n").read();

            assertThat(answer.body()).isEqualTo("whole");
            assertThat(answer.header("X")).isEqualTo("head");
            assertNextIsAnswered(client);
        }
    }

    @Test
    void mayBeGivenOnAnyThread() throws IOException {
        try (RawClient client = server.connect()) {
            assertThat(client.send("GET /worker HTTP/1.1\r\nHost: a\r\n\r\n").read().trailers())
                    .containsExactly("X: a");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {"X | a%0d%0aX-Evil: 1", "X | a%0aX-Evil: 1",
        "X | a%00", "X | a%0d%0a%0d%0aHTTP/1.1 200 OK%0d%0a%0d%0a", "X%0d%0aX-Evil | 1", "X-Evil:1 | a",
        "X Y | a", "\"\" | a", "Content-Length | 5", "tRANSFER-eNCODING | chunked", "Set-Cookie | a=b",
        "Host | a", "Trailer | X"})
    void areRefusedWhereTheyAreMalformedOrForbidden(String name, String value) throws IOException {
        String target = "/given?name=" + name.replace(" ", "%20") + "&value=" + value.replace(" ", "%20");
        try (RawClient client = server.connect()) {
            assertThat(client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n").read().trailers())
                    .containsExactly("X-Refused: yes");
            assertNextIsAnswered(client);
        }
    }

    private static void assertNextIsAnswered(RawClient client) throws IOException {
        assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read().body()).isEqualTo("hello");
    }
}
