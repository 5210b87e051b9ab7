package io.sluice.gateway.http1;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
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
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpConnectionIT {
    private static HandlerServer server;

    @BeforeAll
    static void start() {
        server = HandlerServer.start(
                route("/", exchange -> answer(exchange, exchange.requestId())),
                route("/later/{ms}", exchange -> exchange.eventLoop().schedule(
                        () -> answer(exchange, exchange.requestId()),
                        Long.parseLong(exchange.pathParameter("ms")), TimeUnit.MILLISECONDS)),
                route("/elsewhere", exchange -> Thread.ofVirtual().start(
                        () -> answer(exchange, exchange.requestId()))),
                route("/collect", exchange -> exchange.readBody(
                        body -> answer(exchange, body.toString(StandardCharsets.UTF_8)))),
                route("/stream", exchange -> stream(exchange, -1)),
                route("/stream/whole", exchange -> stream(exchange, 6)),
                route("/host", exchange -> answer(exchange, exchange.headers().get(HttpHeaderNames.HOST))),
                route("/empty", exchange -> answer(exchange, "")),
                route("/post", Set.of(Method.POST), Duration.ofSeconds(9), exchange -> answer(exchange, "")));
    }

    private static void stream(Exchange exchange, long length) {
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        if (length >= 0) {
            head.headers().set(HttpHeaderNames.CONTENT_LENGTH, length);
        }
        ResponseStream stream = exchange.stream(head);
        stream.write(exchange.alloc().buffer().writeBytes(new byte[] {'a', 'b', 'c'}));
        stream.write(exchange.alloc().buffer().writeBytes(new byte[] {'d', 'e', 'f'}));
        stream.end();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void forget() {
        server.ended().clear();
    }

    @Test
    void staysOpenInHttp11() throws IOException {
        try (RawClient client = server.connect()) {
            for (int i = 0; i < 3; i++) {
                RawClient.Answer answer = client.send(get("/", "id-" + i)).read();
                assertThat(answer.statusLine()).isEqualTo("HTTP/1.1 200 OK");
                assertThat(answer.body()).isEqualTo("id-" + i);
                assertThat(answer.header("Connection")).isNull();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "Close", "x, close", "close, keep-alive", "\tclose ,"})
    void connectionCloseOfARequestIsHonoured(String connection) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: " + connection + "\r\n\r\n");

            assertThat(client.read().header("Connection")).isEqualTo("close");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void endsInHttp10UnlessTheClientWantsToKeepIt() throws IOException {
        try (RawClient client = server.connect()) {
            RawClient.Answer kept = client.send("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n").read();
            RawClient.Answer last = client.send("GET / HTTP/1.0\r\n\r\n").read();

            assertThat(kept.statusLine()).isEqualTo("HTTP/1.1 200 OK");
            assertThat(kept.header("Connection")).isEqualTo("keep-alive");
            assertThat(last.header("Connection")).isEqualTo("close");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void endsAStreamedAnswerInHttp10() throws IOException {
        try (RawClient client = server.connect()) {
            String head = " HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
            RawClient.Answer whole = client.send("GET /stream/whole" + head).read();
            RawClient.Answer answer = client.send("GET /stream" + head).read();

            assertThat(whole.body()).isEqualTo("abcdef");
            assertThat(whole.header("Connection")).isEqualTo("keep-alive");
            assertThat(answer.body()).isEqualTo("abcdef");
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(answer.header("Transfer-Encoding")).isNull();
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void answersAThousandPipelinedRequestsInOrder() throws IOException {
        String[] targets = {"/", "/later/0", "/later/3", "/elsewhere", "/collect", "/stream", "/post"};
        int[] picks = new Random(7).ints(1000, 0, targets.length).toArray();
        try (RawClient client = server.connect()) {
            client.send(IntStream.range(0, picks.length).mapToObj(i -> targets[picks[i]].equals("/collect")
                    ? get("/collect", "id-%d\r\nContent-Length: 7".formatted(i)) + "body%03d".formatted(i)
                    : get(targets[picks[i]], "id-" + i)).collect(Collectors.joining()));

            for (int i = 0; i < picks.length; i++) {
                RawClient.Answer answer = client.read();
                assertThat(answer.header("X-Request-Id")).isEqualTo("id-" + i);
                switch (targets[picks[i]]) {
                    case "/collect" -> assertThat(answer.body()).isEqualTo("body%03d".formatted(i));
                    case "/stream" -> assertThat(answer.body()).isEqualTo("abcdef");
                    case "/post" -> assertThat(answer.status()).isEqualTo(405);
                    default -> assertThat(answer.body()).isEqualTo("id-" + i);
                }
            }
        }
        assertThat(server.ended()).extracting(HandlerServer.Ended::requestId)
                .containsExactlyElementsOf(IntStream.range(0, 1000).mapToObj(i -> "id-" + i).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/later/5", "/elsewhere", "/stream", "/nowhere", "/post"})
    void unreadBodyIsSkipped(String target) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("PUT " + target + " HTTP/1.1\r\nHost: a\r\nContent-Length: 31\r\n\r\n"
                    + "GET /evil HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "PUT " + target + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "3\r\nabc\r\n4\r\n\r\n\r\n\r\n0\r\nX: y\r\n\r\n"
                    + get("/", "next"));

            int status = client.read().status();
            assertThat(client.read().status()).isEqualTo(status);
            assertThat(client.read().body()).isEqualTo("next");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/later/20", "/elsewhere"})
    void requestsBehindConnectionCloseAreIgnored(String target) throws IOException {
        try (RawClient client = server.connect()) {
            client.send(get(target, "last\r\nConnection: close") + get("/", "late"));

            assertThat(client.read().header("Connection")).isEqualTo("close");
            assertThat(client.isClosed()).isTrue();
        }
        assertThat(server.ended()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"/, 4", "/later/5, 4", "/elsewhere, 4", "/empty, 0", "/stream/whole, 6", "/stream,",
        "/nowhere, 145"})
    void answersHeadWithTheHeadOfGet(String target, String length) throws IOException {
        try (RawClient client = server.connect()) {
            RawClient.Answer get = client.send(get(target, "id-1")).read();
            RawClient.Answer head = client.send(get(target, "id-1").replace("GET", "HEAD")).readHead();
            client.send(get("/", "next"));

            assertThat(head.statusLine()).isEqualTo(get.statusLine());
            assertThat(get.header("Content-Length")).isEqualTo(length);
            assertThat(head.header("Content-Length")).isEqualTo(length);
            assertThat(head.header("Transfer-Encoding")).isEqualTo(get.header("Transfer-Encoding"));
            assertThat(client.read().body()).isEqualTo("next");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "OPTIONS | *     | 204 | GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
        "OPTIONS | /post | 204 | POST, OPTIONS",
        "OPTIONS | /     | 204 | GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
        "GET     | /post | 405 | POST, OPTIONS",
        "TRACE   | /post | 405 | POST, OPTIONS",
        "OPTIONS | /no   | 404 |",
    })
    void allowHeaderListsMethods(String method, String target, int status, String allow) throws IOException {
        try (RawClient client = server.connect()) {
            RawClient.Answer answer = client.send(get(target, "id-1").replace("GET", method)).read();

            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.header("Allow")).isEqualTo(allow);
            assertThat(answer.header("Content-Length")).isEqualTo(
                    status == 204 ? null : String.valueOf(answer.content().length));
        }
    }

    @ParameterizedTest
    @CsvSource({"/host, a", "http://b/host, b", "hTTp://b:81/host?c, b:81", "http://[::1]:81/host, [::1]:81"})
    void hostOfAnAbsoluteTargetOverridesTheHeader(String target, String host) throws IOException {
        try (RawClient client = server.connect()) {
            assertThat(client.send(get(target, "id-1")).read().body()).isEqualTo(host);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/stream", "/elsewhere", "/nowhere", "/post", "/%zz"})
    void tellsDateServerAndRequestIdInEveryAnswer(String target) throws IOException {
        try (RawClient client = server.connect()) {
            RawClient.Answer answer = client.send(get(target, "id-1")).read();

            assertThat(answer.header("Date")).matches("\\w{3}, \\d\\d \\w{3} \\d{4} [0-9:]{8} GMT");
            assertThat(answer.header("Server")).isEqualTo("sluice");
            assertThat(answer.header("X-Request-Id")).isEqualTo("id-1");
            assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        }
    }

    private static String get(String target, String requestId) {
        return "GET " + target + " HTTP/1.1\r\nHost: a\r\nX-Request-Id: " + requestId + "\r\n\r\n";
    }
}
