package io.sluice.gateway.exchange;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.type.Method;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.logging.LoggedEvents;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.RouteHandler;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class HttpResponseIT {
    private static final Set<Method> GET = Set.of(Method.GET);
    /** The handler of the route /handled. */
    private static final AtomicReference<RouteHandler> HANDLER = new AtomicReference<>();
    private static HandlerServer server;

    @BeforeAll
    static void start() {
        server = HandlerServer.start(
                route("/", exchange -> answer(exchange, "hello")),
                route("/handled", exchange -> HANDLER.get().handle(exchange)),
                route("/handled-soon", GET, Duration.ofMillis(100),
                        exchange -> HANDLER.get().handle(exchange)));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void forget() {
        server.ended().clear();
    }

    // --- handlers that fail

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, IOException.class})
    void answers500WhereAHandlerThrows(Class<? extends Throwable> type) throws Exception {
        try (RawClient client = server.connect()) {
            assertThat(failed(client, type).header("Connection")).isNull();
            assertNextIsAnswered(client);
        }
    }

    /** After an error the state of the connection is unknown. */
    @Test
    void closesTheConnectionWhereAHandlerThrowsAnError() throws Exception {
        try (RawClient client = server.connect()) {
            assertThat(failed(client, StackOverflowError.class).header("Connection")).isEqualTo("close");
            assertThat(client.isClosed()).isTrue();
        }
    }

    private static RawClient.Answer failed(RawClient client, Class<? extends Throwable> type)
            throws Exception {
        Throwable failure = type.getConstructor(String.class).newInstance("secret");
        HANDLER.set(_ -> sneak(failure));
        RawClient.Answer answer = send(client, "/handled").read();
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(answer.body()).doesNotContain("secret", type.getSimpleName());
        return answer;
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable failure) throws T {
        throw (T) failure;
    }

    @Test
    void answersWithTheStatusThatAHandlerThrows() throws IOException {
        HANDLER.set(_ -> {
            throw new HttpException(HttpResponseStatus.CONFLICT, "taken", new IOException("secret"));
        });
        try (RawClient client = server.connect()) {
            RawClient.Answer answer = send(client, "/handled").read();
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.body()).contains("taken").doesNotContain("secret");
            assertNextIsAnswered(client);
        }
    }

    @Test
    void keepsTheAnswerOfAHandlerThatThrowsAfterIt() throws IOException {
        HANDLER.set(exchange -> {
            answer(exchange, "done");
            throw new IllegalStateException("after the answer");
        });
        try (RawClient client = server.connect()) {
            assertThat(send(client, "/handled").read().body()).isEqualTo("done");
            assertNextIsAnswered(client);
        }
    }

    @Test
    void handlerWithoutResponseGets504() throws IOException {
        var aborted = new CompletableFuture<Boolean>();
        HANDLER.set(exchange -> exchange.onAbort(
                () -> aborted.complete(answer(exchange, "too late"))));
        try (RawClient client = server.connect()) {
            RawClient.Answer answer = send(client, "/handled-soon").read();
            assertThat(answer.status()).isEqualTo(504);
            assertThat(answer.body()).contains("\"status\":504");
            assertThat(aborted).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(false);
            assertNextIsAnswered(client);
        }
        assertThat(server.ended()).extracting(HandlerServer.Ended::status).containsExactly(504, 200);
    }

    @Test
    void takesOnlyTheFirstAnswer() throws IOException {
        var others = new CompletableFuture<String>();
        HANDLER.set(exchange -> {
            answer(exchange, "first");
            boolean second = answer(exchange, "second");
            ResponseStream third = exchange.stream(head());
            exchange.fail(new IOException("fourth"));
            others.complete(second + " " + third);
        });
        try (RawClient client = server.connect()) {
            assertThat(send(client, "/handled").read().body()).isEqualTo("first");
            assertNextIsAnswered(client);
        }
        assertThat(others).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("false null");
        assertThat(server.ended()).hasSize(2);
    }

    @Test
    void resetsTheConnectionWhereHeadersCannotBeCompleted() throws IOException {
        HANDLER.set(exchange -> exchange.respond(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1,
                HttpResponseStatus.OK, exchange.alloc().buffer(8).writeInt(1), EmptyHttpHeaders.INSTANCE,
                EmptyHttpHeaders.INSTANCE)));
        try (RawClient client = server.connect()) {
            assertThatThrownBy(() -> send(client, "/handled").read()).isInstanceOf(SocketException.class);
        }
        await().untilAsserted(() -> assertThat(server.ended()).extracting(HandlerServer.Ended::status)
                .containsExactly(500));
    }

    @Test
    void answers500WhereTheLengthOfAStreamIsNoNumber() throws IOException {
        HANDLER.set(exchange -> {
            HttpResponse head = head();
            head.headers().set("Content-Length", "x");
            exchange.stream(head);
        });
        try (RawClient client = server.connect()) {
            assertThat(send(client, "/handled").read().status()).isEqualTo(500);
            assertNextIsAnswered(client);
        }
    }

    // --- streams that fail: a client can tell an incomplete answer from a complete one

    @ParameterizedTest
    @CsvSource({"true, -1", "false, -1", "true, 10", "false, 10"})
    void resetsTheConnectionWhereAStreamFails(boolean onLoop, int length) throws IOException {
        HANDLER.set(exchange -> run(onLoop, () -> {
            ResponseStream stream = exchange.stream(head(length));
            stream.write(Unpooled.copiedBuffer("half", StandardCharsets.US_ASCII));
            exchange.fail(new HttpException(HttpResponseStatus.BAD_GATEWAY, "upstream is gone"));
        }));
        assertReset("/handled", 502);
    }

    /** While memory is short, many streams fail at a time. */
    @Test
    void doesNotWarnOfAStreamThatAShortageEnds() throws IOException {
        var logger = (Logger) LoggerFactory.getLogger(ExchangeResponse.class);
        var log = new LoggedEvents();
        log.start();
        logger.addAppender(log);
        try {
            HANDLER.set(exchange -> {
                exchange.stream(head(-1)).write(Unpooled.copiedBuffer("half", StandardCharsets.US_ASCII));
                exchange.fail(HttpException.tryAgain("the gateway is short of memory", null));
            });
            assertReset("/handled", 503);
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list).noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.WARN));
    }

    @ParameterizedTest
    @CsvSource({"true, 3", "false, 3", "true, 5", "false, 5"})
    void resetsTheConnectionWhereAStreamIsNotAsLongAsItSays(boolean onLoop, int length) throws IOException {
        HANDLER.set(exchange -> run(onLoop, () -> {
            ResponseStream stream = exchange.stream(head(length));
            stream.write(Unpooled.copiedBuffer("half", StandardCharsets.US_ASCII));
            stream.end();
        }));
        assertReset("/handled", 500);
    }

    @Test
    void resetsTheConnectionWhereAStreamOutlivesItsDeadline() throws IOException {
        var aborted = new CompletableFuture<Boolean>();
        HANDLER.set(exchange -> {
            exchange.onAbort(() -> aborted.complete(true));
            exchange.stream(head(-1)).write(Unpooled.copiedBuffer("half", StandardCharsets.US_ASCII));
        });
        assertReset("/handled-soon", 504);
        assertThat(aborted).succeedsWithin(Duration.ofSeconds(30));
    }

    private static void assertReset(String target, int status) throws IOException {
        try (RawClient client = server.connect()) {
            assertThatThrownBy(() -> {
                send(client, target).read();
                client.isClosed();
            }).isInstanceOf(SocketException.class);
        }
        await().untilAsserted(() -> assertThat(server.ended()).extracting(HandlerServer.Ended::status)
                .containsExactly(status));
    }

    @Test
    void writesBehindTheEndAreIgnored() throws IOException {
        var late = new CompletableFuture<ResponseStream>();
        HANDLER.set(exchange -> {
            ResponseStream stream = exchange.stream(head(-1));
            stream.write(Unpooled.copiedBuffer("whole", StandardCharsets.US_ASCII));
            stream.end();
            late.complete(stream);
        });
        try (RawClient client = server.connect()) {
            assertThat(send(client, "/handled").read().body()).isEqualTo("whole");
            HANDLER.set(exchange -> {
                ResponseStream stream = exchange.stream(head(-1));
                late.join().write(Unpooled.copiedBuffer("evil", StandardCharsets.US_ASCII));
                late.join().end();
                stream.write(Unpooled.copiedBuffer("next", StandardCharsets.US_ASCII));
                stream.end();
            });
            assertThat(send(client, "/handled").read().body()).isEqualTo("next");
            assertNextIsAnswered(client);
        }
    }

    private static HttpResponse head(int length) {
        HttpResponse head = head();
        if (length >= 0) {
            head.headers().set("Content-Length", length);
        }
        return head;
    }

    private static HttpResponse head() {
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    }

    private static void run(boolean here, Runnable action) {
        if (here) {
            action.run();
        } else {
            Thread.ofVirtual().start(action);
        }
    }

    private static RawClient send(RawClient client, String target) throws IOException {
        return client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    private static void assertNextIsAnswered(RawClient client) throws IOException {
        assertThat(send(client, "/").read().body()).isEqualTo("hello");
    }
}
