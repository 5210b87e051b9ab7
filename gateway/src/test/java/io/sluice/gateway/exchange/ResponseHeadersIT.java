package io.sluice.gateway.exchange;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.PoolConfig;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.logging.LoggedEvents;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.RouteHandler;
import io.sluice.offload.Offload;
import io.sluice.offload.PoolObserver;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class ResponseHeadersIT {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger(ResponseHeadersIT.class);
    /** The handler of the route /handled. */
    private static final AtomicReference<RouteHandler> HANDLER = new AtomicReference<>();
    private static HandlerServer server;

    @BeforeAll
    static void start() {
        server = HandlerServer.start(
                route("/", exchange -> answer(exchange, "hello")),
                route("/handled", exchange -> HANDLER.get().handle(exchange)));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    // --- headers of handlers

    @ParameterizedTest
    @CsvSource({"Content-Length, 1", "Content-Length, 99", "Content-Length, x", "Transfer-Encoding, chunked",
        "Transfer-Encoding, gzip"})
    void framesAWholeAnswerItself(String name, String value) throws IOException {
        HANDLER.set(exchange -> respond(exchange, HttpResponseStatus.OK, "hello", name, value));
        try (RawClient client = server.connect()) {
            RawClient.Answer answer = send(client, "/handled").read();
            assertThat(answer.header("Content-Length")).isEqualTo("5");
            assertThat(answer.header("Transfer-Encoding")).isNull();
            assertThat(answer.body()).isEqualTo("hello");
            assertNextIsAnswered(client);
        }
    }

    @ParameterizedTest
    @CsvSource({"204, Content-Length, 9,", "304, ETag, x,", "304, Content-Length, 9, 9", "205, ETag, x, 0"})
    void sendsNoBodyWhereTheStatusHasNone(int status, String name, String value, String length)
            throws IOException {
        HANDLER.set(exchange -> respond(exchange, HttpResponseStatus.valueOf(status), "", name, value));
        try (RawClient client = server.connect()) {
            RawClient.Answer answer = send(client, "/handled").read();
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.header("Content-Length")).isEqualTo(length);
            assertNextIsAnswered(client);
        }
    }

    @Test
    void closesTheConnectionWhereAHandlerSaysSo() throws IOException {
        HANDLER.set(exchange -> respond(exchange, HttpResponseStatus.OK, "bye", "Connection", "close"));
        try (RawClient client = server.connect()) {
            RawClient.Answer answer = send(client, "/handled").read();
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"%0d%0aX-Evil:%201", "%0aX-Evil:%201", "%0dX-Evil:%201", "a%00",
        "%E5%98%8D%E5%98%8AX-Evil:%201"})
    void headerValuesOfAHandlerCannotSplitTheResponse(String value) throws IOException {
        HANDLER.set(exchange -> respond(exchange, HttpResponseStatus.OK, "hello", "X-Value",
                exchange.queryParameter("value")));
        try (RawClient client = server.connect()) {
            RawClient.Answer answer = send(client, "/handled?value=" + value).read();
            assertThat(answer.header("X-Evil")).isNull();
            assertThat(answer.status()).isEqualTo(value.startsWith("%E5") ? 200 : 500);
            assertNextIsAnswered(client);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {"X | a%0d%0aX-Evil: 1", "X | a%0aX-Evil: 1",
        "X | a%0dX-Evil: 1", "X | a%00", "X | a%0d%0a%0d%0aHTTP/1.1 200 OK%0d%0a%0d%0a", "X%0d%0aX-Evil | 1",
        "X-Evil: 1%0d%0aX | a", "X-Evil:1 | a", "X Y | a", "\"\" | a", "Set-Cookie | a%7f"})
    void uncheckedHeadersOfAHandlerCannotSplitTheResponse(String name, String value)
            throws IOException {
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders()
                .set(unescaped(name), unescaped(value));
        List<RouteHandler> handlers = List.of(
                exchange -> exchange.respond(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1,
                        HttpResponseStatus.OK, exchange.alloc().buffer(1), headers, headers)),
                exchange -> exchange.stream(new DefaultHttpResponse(HttpVersion.HTTP_1_1,
                        HttpResponseStatus.OK, headers)).end());
        try (RawClient client = server.connect()) {
            for (RouteHandler handler : handlers) {
                HANDLER.set(handler);
                RawClient.Answer answer = send(client, "/handled").read();
                assertThat(answer.status()).isEqualTo(500);
                assertThat(answer.header("X-Evil")).isNull();
                assertNextIsAnswered(client);
            }
        }
    }

    private static String unescaped(String text) {
        return URLDecoder.decode(text, StandardCharsets.ISO_8859_1);
    }

    // --- the request id

    @ParameterizedTest
    @ValueSource(strings = {"a b", "<a>", "\"a\"", "${a}", "\u00e9", ""})
    void replacesARequestIdThatIsNotFitForALog(String id) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nX-Request-Id: " + id + "\r\n\r\n");

            assertThat(client.read().header("X-Request-Id")).matches("[0-9a-f]{16}");
        }
    }

    @Test
    void logLinesHaveTheRequestId() throws IOException {
        var lines = new LoggedEvents();
        lines.start();
        LOG.addAppender(lines);
        var config = PoolConfig.of(PoolConfig.Kind.PLATFORM, 1, 9, Duration.ofSeconds(9));
        try (var pool = Offload.start("test", config, PoolObserver.NONE);
                RawClient client = server.connect()) {
            HANDLER.set(exchange -> {
                LOG.warn("in the handler");
                exchange.readBody(_ -> {
                    LOG.warn("with the body");
                    pool.submit(exchange.deadline(), exchange.eventLoop(), _ -> {
                        LOG.warn("at work");
                        return answer(exchange, "done");
                    });
                });
            });
            for (String id : List.of("id-1", "id-2")) {
                client.send("POST /handled HTTP/1.1\r\nHost: a\r\nX-Request-Id: " + id
                        + "\r\nContent-Length: 5\r\n\r\n");
                client.send("hello").read();
            }
        } finally {
            LOG.detachAppender(lines);
        }
        await().untilAsserted(() -> assertThat(lines.list)
                .extracting(line -> line.getMessage() + ' ' + line.getMDCPropertyMap().get("requestId"))
                .containsExactly("in the handler id-1", "with the body id-1", "at work id-1",
                        "in the handler id-2", "with the body id-2", "at work id-2"));
    }

    private static void respond(Exchange exchange, HttpResponseStatus status, String body, String name,
                                String value) {
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status,
                Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
        response.headers().set(name, value);
        exchange.respond(response);
    }

    private static RawClient send(RawClient client, String target) throws IOException {
        return client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    private static void assertNextIsAnswered(RawClient client) throws IOException {
        assertThat(send(client, "/").read().body()).isEqualTo("hello");
    }
}
