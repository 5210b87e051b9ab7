package io.sluice.gateway.exchange;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.config.type.Method;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.http.EchoHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpBodyIT {
    private static final int LIMIT = 1 << 20;
    private static final String CHUNKED = " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final Queue<String> EVENTS = new ConcurrentLinkedQueue<>();
    private static HandlerServer server;

    @BeforeAll
    static void start() {
        server = HandlerServer.start(
                route("/", exchange -> answer(exchange, "hello")),
                route("/collect", HttpBodyIT::collect),
                route("/collect-later", exchange -> exchange.eventLoop().schedule(
                        () -> collect(exchange), 30, TimeUnit.MILLISECONDS)),
                route("/swallow", HttpBodyIT::swallow),
                route("/soon", Set.of(Method.POST), Duration.ofMillis(100), HttpBodyIT::swallow),
                route("/early", exchange -> exchange.streamBody(new Answering(exchange))),
                route("/echo", new EchoHandler()));
    }

    private static void collect(Exchange exchange) {
        exchange.readBody(body -> answer(exchange, body.toString(StandardCharsets.ISO_8859_1)));
    }

    /** Reads the body and records its events. */
    private static void swallow(Exchange exchange) {
        exchange.onAbort(() -> EVENTS.add("aborted"));
        exchange.streamBody(new Exchange.BodyReader() {
            @Override
            public boolean content(ByteBuf content) {
                content.release();
                return true;
            }

            @Override
            public void end(HttpHeaders trailers) {
                EVENTS.add("end");
                answer(exchange, "swallowed");
            }
        });
    }

    /** A reader that answers at the first bytes of the body. */
    private record Answering(Exchange exchange) implements Exchange.BodyReader {
        @Override
        public boolean content(ByteBuf content) {
            content.release();
            answer(exchange, "enough");
            return true;
        }

        @Override
        public void end(HttpHeaders trailers) {
            EVENTS.add("end");
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void forget() {
        EVENTS.clear();
        server.ended().clear();
    }

    // --- 100-continue: RFC 9110 section 10.1.1

    @ParameterizedTest
    @ValueSource(strings = {"/collect", "/collect-later", "/echo"})
    void says100WhereTheBodyIsWanted(String target) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST " + target + " HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\n"
                    + "Content-Length: 5\r\n\r\n");
            assertThat(client.read().statusLine()).isEqualTo("HTTP/1.1 100 Continue");
            assertThat(client.send("hello").read().body()).isEqualTo("hello");
            assertNextIsAnswered(client);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/nowhere"})
    void doesNotWaitForABodyThatItDoesNotWant(String target) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST " + target + " HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
                    + "Content-Length: 5\r\n\r\n");

            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isIn(200, 404);
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void doesNotSay100WhereTheBodyIsTooLarge() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST /collect HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: "
                    + (LIMIT + 1) + "\r\n\r\n");

            assertThat(client.read().status()).isEqualTo(413);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void doesNotSay100InHttp10() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST /collect HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello");

            assertThat(client.read().body()).isEqualTo("hello");
        }
    }

    // --- reading bodies

    @ParameterizedTest
    @ValueSource(strings = {"/collect", "/collect-later", "/echo"})
    void takesABodyThatIsThereAlready(String target) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST " + target + " HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
                    + "POST " + target + CHUNKED + "3\r\nwor\r\n2\r\nld\r\n0\r\n\r\n");

            assertThat(client.read().body()).isEqualTo("hello");
            assertThat(client.read().body()).isEqualTo("world");
            assertNextIsAnswered(client);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/collect", "/echo"})
    void readsRequestsWhateverTheirPieces(String target) throws IOException {
        String requests = "POST " + target + " HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
                + "POST " + target + CHUNKED + "3;a=\"b\"\r\nwor\r\n2\r\nld\r\n0\r\nX: y\r\n\r\n";
        try (RawClient client = server.connect()) {
            for (int split = 1; split < requests.length(); split++) {
                client.send(requests.substring(0, split));
                client.send(requests.substring(split));

                assertThat(client.read().body()).as("split at %d", split).isEqualTo("hello");
                assertThat(client.read().body()).as("split at %d", split).isEqualTo("world");
            }
            for (char c : requests.toCharArray()) {
                client.send(String.valueOf(c));
            }
            assertThat(client.read().body()).isEqualTo("hello");
            assertThat(client.read().body()).isEqualTo("world");
        }
    }

    @Test
    void echoesChunksAndDropsTrailers() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: x/y\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n");
            client.send("5\r\nhello\r\n6;a=b\r\n world\r\n0\r\nX-Check: 1\r\nETag: a\r\n\r\n");

            RawClient.Answer answer = client.read();
            assertThat(answer.body()).isEqualTo("hello world");
            assertThat(answer.header("Content-Type")).isEqualTo("x/y");
            assertThat(answer.header("X-Check")).isNull();
            assertThat(answer.header("ETag")).isNull();
            assertNextIsAnswered(client);
        }
    }

    // --- bodies beyond the limit

    @Test
    void takesABodyOfExactlyTheLimit() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST /collect HTTP/1.1\r\nHost: a\r\nContent-Length: " + LIMIT + "\r\n\r\n");
            assertThat(client.send("a".repeat(LIMIT)).read().content()).hasSize(LIMIT);
            client.send("POST /collect" + CHUNKED + Integer.toHexString(LIMIT) + "\r\n");
            assertThat(client.send("a".repeat(LIMIT) + "\r\n0\r\n\r\n").read().content()).hasSize(LIMIT);
            assertNextIsAnswered(client);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/collect", "/swallow", "/collect-later"})
    void refusesABodyAboveTheLimitWhenItGetsThere(String target) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST " + target + CHUNKED);
            for (int i = 0; i < 17; i++) {
                client.send("10000\r\n" + "a".repeat(1 << 16) + "\r\n");
            }

            assertThat(client.read().status()).isEqualTo(413);
            assertThat(client.isClosed()).isTrue();
        }
        assertThat(EVENTS).doesNotContain("end");
    }

    @ParameterizedTest
    @ValueSource(strings = {"zzz\r\n", "5\r\nhellooo"})
    void tellsAReaderOfABodyThatWillNotEnd(String chunk) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST /swallow" + CHUNKED + "5\r\nhello\r\n" + chunk);

            assertThat(client.read().status()).isEqualTo(400);
            assertThat(client.isClosed()).isTrue();
        }
        await().untilAsserted(() -> assertThat(EVENTS).containsExactly("aborted"));
        assertThat(server.ended()).extracting(HandlerServer.Ended::status).containsExactly(400);
    }

    @Test
    void doesNotWaitForABodyThatTakesTooLong() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST /soon" + CHUNKED + "5\r\nhel");

            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(504);
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(client.isClosed()).isTrue();
        }
        await().untilAsserted(() -> assertThat(EVENTS).containsExactly("aborted"));
    }

    @Test
    void answersAPathWithoutARouteWith404WhateverTheBody() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\nabc");

            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(client.isClosed()).isTrue();
        }
    }

    // --- answers before the end of the body

    @Test
    void dropsTheRestOfABodyBehindAnEarlyAnswer() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: " + LIMIT + "\r\n\r\nabc");
            assertThat(client.read().body()).isEqualTo("enough");

            client.send("a".repeat(LIMIT - 3));
            assertNextIsAnswered(client);
        }
        assertThat(EVENTS).isEmpty();
    }

    @Test
    void givesUpOnABodyBehindAnEarlyAnswerAboveTheLimit() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST /early" + CHUNKED + "3\r\nabc\r\n");
            RawClient.Answer answer = client.read();
            assertThat(answer.body()).isEqualTo("enough");
            assertThat(answer.header("Connection")).isNull();

            for (int i = 0; i < 17; i++) {
                client.send("10000\r\n" + "a".repeat(1 << 16) + "\r\n");
            }
            assertThat(client.isClosed()).isTrue();
        }
        assertThat(server.ended()).extracting(HandlerServer.Ended::status).containsExactly(200);
    }

    private static void assertNextIsAnswered(RawClient client) throws IOException {
        assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read().body()).isEqualTo("hello");
    }
}
