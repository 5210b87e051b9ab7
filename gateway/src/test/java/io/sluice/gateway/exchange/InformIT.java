package io.sluice.gateway.exchange;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Informational responses over HTTP/1. */
class InformIT {
    private static final String EXPECTING = " HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
            + "Content-Length: 5\r\n\r\n";
    /** A response that all requests share. Its headers must not change. */
    private static final HttpResponse HINTS = head(103, "Link", "</a.css>; rel=preload");
    private static final int FLOOD = 500;
    private static HandlerServer server;

    @BeforeAll
    static void start() {
        server = HandlerServer.start(
                route("/", exchange -> answer(exchange, "hello")),
                route("/hints", InformIT::hint),
                route("/hints-of-a-worker", exchange -> Thread.ofVirtual().start(() -> hint(exchange))),
                route("/inform/{status}", exchange -> {
                    exchange.inform(head(Integer.parseInt(exchange.pathParameter("status"))));
                    exchange.readBody(body -> answer(exchange, body.toString(StandardCharsets.US_ASCII)));
                }),
                route("/unread", exchange -> {
                    exchange.inform(head(100));
                    exchange.eventLoop().execute(() -> answer(exchange, "unread"));
                }),
                route("/late", InformIT::informAtTheEnd),
                route("/flood", InformIT::flood));
    }

    private static void hint(Exchange exchange) {
        exchange.inform(head(102));
        exchange.inform(HINTS);
        exchange.inform(HINTS);
        answer(exchange, "hello");
    }

    /** Writes more informational responses than sockets buffer, in one task of the event loop. */
    private static void flood(Exchange exchange) {
        HttpResponse large = head(103, "Link", "a".repeat(60_000));
        for (int i = 0; i < FLOOD; i++) {
            exchange.inform(large);
        }
        answer(exchange, "hello");
    }

    private static void informAtTheEnd(Exchange exchange) {
        ResponseStream stream = exchange.stream(
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        exchange.inform(HINTS);
        stream.write(exchange.alloc().buffer(1).writeByte('a'));
        exchange.inform(HINTS);
        stream.end();
        exchange.inform(HINTS);
        exchange.eventLoop().execute(() -> exchange.inform(HINTS));
    }

    private static HttpResponse head(int status) {
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status),
                EmptyHttpHeaders.INSTANCE);
    }

    private static HttpResponse head(int status, String name, String value) {
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status),
                headers.set(name, value));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/hints", "/hints-of-a-worker"})
    void isSentBeforeTheAnswerWithItsHeadersAlone(String target) throws IOException {
        String request = "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n";
        try (RawClient client = server.connect().send(request.repeat(3))) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.read()).extracting(RawClient.Answer::statusLine, RawClient.Answer::headers)
                        .hasToString("[HTTP/1.1 102 Processing, []]");
                for (int hint = 0; hint < 2; hint++) {
                    assertThat(client.read())
                            .extracting(RawClient.Answer::statusLine, RawClient.Answer::headers)
                            .hasToString("[HTTP/1.1 103 Early Hints, [Link: </a.css>; rel=preload]]");
                }
                assertThat(client.read().body()).isEqualTo("hello");
            }
        }
    }

    @Test
    void explicit100ReplacesTheAutomaticOne() throws IOException {
        try (RawClient client = server.connect().send("POST /inform/100" + EXPECTING)) {
            assertThat(client.read().statusLine()).isEqualTo("HTTP/1.1 100 Continue");
            assertThat(client.send("hello").read().body()).isEqualTo("hello");
            assertNextIsAnswered(client);
        }
    }

    @Test
    void otherInformationalStatusKeepsTheAutomatic100() throws IOException {
        try (RawClient client = server.connect().send("POST /inform/102" + EXPECTING)) {
            assertThat(client.read().status()).isEqualTo(102);
            assertThat(client.read().status()).isEqualTo(100);
            assertThat(client.send("hello").read().body()).isEqualTo("hello");
        }
    }

    /** After 100 the client sends its body. The gateway finds the next request behind it. */
    @Test
    void of100KeepsAConnectionWhoseBodyIsNotRead() throws IOException {
        try (RawClient client = server.connect().send("POST /unread" + EXPECTING)) {
            assertThat(client.read().status()).isEqualTo(100);
            assertThat(client.read().header("Connection")).isNull();
            client.send("hello");
            assertNextIsAnswered(client);
        }
    }

    @Test
    void of100IsSentOnlyWhereItIsAwaited() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST /inform/100 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
            assertThat(client.read().body()).isEqualTo("hello");
        }
    }

    @Test
    void http10ClientsGetNoInformationalResponse() throws IOException {
        try (RawClient client = server.connect()) {
            assertThat(client.send("GET /hints HTTP/1.0\r\n\r\n").read().body()).isEqualTo("hello");
        }
    }

    @Test
    void isDroppedWhereTheAnswerHasBegun() throws IOException {
        try (RawClient client = server.connect()) {
            assertThat(client.send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n").read().body()).isEqualTo("a");
            server.settle();
            assertNextIsAnswered(client);
        }
    }

    @Test
    void isDroppedWhileTheClientDoesNotRead() throws IOException {
        try (RawClient client = server.connect().send("GET /flood HTTP/1.1\r\nHost: a\r\n\r\n")) {
            server.settle();
            int hints = 0;
            RawClient.Answer answer = client.read();
            for (; answer.status() == 103; answer = client.read()) {
                hints++;
            }
            assertThat(answer.body()).isEqualTo("hello");
            assertThat(hints).isBetween(1, FLOOD / 2);
        }
    }

    @ParameterizedTest
    @CsvSource({"101, X, a", "200, X, a", "99, X, a", "103, Link, 'a\r\nX-Evil: 1'", "103, 'X\r\nX-Evil', 1"})
    void invalidInformationalResponsesAreRejected(int status, String name, String value) {
        HttpResponse head = head(status, name, value);
        assertThatIllegalArgumentException().isThrownBy(() -> ResponseHeaders.requireInformational(head));
    }

    private static void assertNextIsAnswered(RawClient client) throws IOException {
        assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read().body()).isEqualTo("hello");
    }
}
