package io.sluice.gateway.net;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VanishedClientIT {
    private final Queue<String> events = new ConcurrentLinkedQueue<>();
    private final Queue<Exchange> exchanges = new ConcurrentLinkedQueue<>();
    private final Queue<ResponseStream> streams = new ConcurrentLinkedQueue<>();
    private HandlerServer server;

    @BeforeEach
    void start() {
        server = HandlerServer.start(
                route("/", exchange -> answer(exchange, "hello")),
                route("/wait", this::note),
                route("/upload", exchange -> {
                    note(exchange);
                    exchange.streamBody(new Noting());
                }),
                route("/collect", exchange -> {
                    note(exchange);
                    exchange.readBody(_ -> events.add("end"));
                }),
                route("/download", exchange -> {
                    note(exchange);
                    ResponseStream stream = exchange.stream(head());
                    stream.write(Unpooled.copiedBuffer("half", StandardCharsets.US_ASCII));
                    stream.onWritable(() -> events.add("woken"));
                    streams.add(stream);
                }));
    }

    private static HttpResponse head() {
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    }

    private void note(Exchange exchange) {
        exchange.onAbort(() -> events.add("aborted"));
        exchanges.add(exchange);
    }

    private final class Noting implements Exchange.BodyReader {
        @Override
        public boolean content(ByteBuf content) {
            events.add(content.toString(StandardCharsets.US_ASCII));
            content.release();
            return true;
        }

        @Override
        public void end(HttpHeaders trailers) {
            events.add("end");
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void disconnectAbortsItsRequest(boolean reset) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
            await().until(() -> exchanges.size() == 1);
            if (reset) {
                client.socket().setSoLinger(true, 0);
            }
        }

        assertGone(0);
        await().untilAsserted(() -> assertThat(events).containsExactly("aborted"));
        assertThat(answer(exchanges.peek(), "too late")).isFalse();
        assertThat(exchanges.peek().stream(head())).isNull();
    }

    @Test
    void lateAbortListenerIsCalledAtOnce() throws Exception {
        try (RawClient client = server.connect()) {
            client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
            await().until(() -> exchanges.size() == 1);
        }
        assertGone(0);

        Exchange exchange = exchanges.peek();
        exchange.eventLoop().submit(() -> exchange.onAbort(() -> events.add("at once"))).sync();

        await().untilAsserted(() -> assertThat(events).containsExactly("aborted", "at once"));
        assertThat(exchange.clientAddress().getAddress().isLoopbackAddress()).isTrue();
    }

    @Test
    void halfCloseAbortsTheWaitingRequest() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
            await().until(() -> exchanges.size() == 1);
            client.socket().shutdownOutput();

            assertThat(client.isClosed()).isTrue();
        }
        assertGone(0);
    }

    @Test
    void halfCloseKeepsImmediateResponses() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(3));
            client.socket().shutdownOutput();

            for (int i = 0; i < 3; i++) {
                assertThat(client.read().body()).isEqualTo("hello");
            }
            assertThat(client.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 9\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n9\r\nhello",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"})
    void disconnectWithinABodyDoesNotCompleteIt(String body) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST /upload HTTP/1.1\r\nHost: a\r\n" + body);
            await().until(() -> events.contains("hello"));
        }

        assertGone(0);
        await().untilAsserted(() -> assertThat(events).containsExactly("hello", "aborted"));
    }

    @Test
    void disconnectReleasesACollectedBody() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST /collect HTTP/1.1\r\nHost: a\r\nContent-Length: 99999\r\n\r\n");
            client.send("a".repeat(50_000));
            await().until(() -> exchanges.size() == 1);
        }

        assertGone(0);
        await().untilAsserted(() -> assertThat(events).containsExactly("aborted"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void disconnectAbortsAStreamedResponse(boolean reset) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("GET /download HTTP/1.1\r\nHost: a\r\n\r\n");
            InputStream in = client.socket().getInputStream();
            assertThat(new String(in.readNBytes(15), StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200 OK");
            if (reset) {
                client.socket().setSoLinger(true, 0);
            }
        }

        assertGone(4);
        await().untilAsserted(() -> assertThat(events).containsExactlyInAnyOrder("aborted", "woken"));
        assertThat(streams.peek().isWritable()).isTrue();
        streams.peek().write(exchanges.peek().alloc().buffer().writeLong(1));
        streams.peek().end();
        exchanges.peek().fail(new IOException("too late"));
    }

    @Test
    void disconnectDropsPipelinedRequests() throws IOException {
        try (RawClient client = server.connect()) {
            client.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
                    + "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello".repeat(100));
            await().until(() -> events.contains("end"));
            client.socket().setSoLinger(true, 0);
        }
        answer(exchanges.peek(), "nobody is there");

        await().until(() -> server.connections().count() == 0);
        assertThat(exchanges).hasSizeLessThan(101);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\n", "\r\n"})
    void disconnectWithinAHeadReportsNoRequest(String piece) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read();
            client.send(piece);
        }

        await().until(() -> server.connections().count() == 0);
        assertThat(server.ended()).hasSize(1);
    }

    private void assertGone(long bytes) {
        await().until(() -> server.connections().count() == 0 && !server.ended().isEmpty());
        assertThat(server.ended()).singleElement().satisfies(ended -> {
            assertThat(ended.status()).isEqualTo(499);
            assertThat(ended.bytes()).isEqualTo(bytes);
        });
    }
}
