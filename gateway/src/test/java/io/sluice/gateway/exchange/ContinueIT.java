package io.sluice.gateway.exchange;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.TimeLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code Expect: 100-continue}: clients that wait for 100, with a handler that decides when it is sent. */
class ContinueIT {
    private static final String HEAD = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
            + "Content-Length: 5\r\n\r\n";

    private final LinkedBlockingQueue<Exchange> asked = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> read = new LinkedBlockingQueue<>();
    private HandlerServer server;

    /** A reader that answers at the end of the body. */
    private final class Reader implements Exchange.BodyReader {
        private final Exchange exchange;

        Reader(Exchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public boolean sendsContinue() {
            return false;
        }

        @Override
        public boolean content(ByteBuf content) {
            read.add(content.toString(StandardCharsets.US_ASCII));
            content.release();
            return true;
        }

        @Override
        public void end(HttpHeaders trailers) {
            answer(exchange, "done");
        }
    }

    @BeforeEach
    void start() {
        server = HandlerServer.withClock(Map.of("sluice.server.timeouts.stall", "2s"),
                route("/", exchange -> {
                    exchange.streamBody(new Reader(exchange));
                    exchange.limitTime(new TimeLimits(Optional.empty(),
                            Optional.of(Duration.ofSeconds(10)), Optional.empty()));
                    asked.add(exchange);
                }));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Exchange asked() throws InterruptedException {
        return asked.poll(30, TimeUnit.SECONDS);
    }

    private static void goOn(Exchange exchange) {
        exchange.inform(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
    }

    @Test
    void handlerRequestsTheBodyBy100() throws Exception {
        try (RawClient client = server.connect().send(HEAD)) {
            Exchange exchange = asked();
            // the server is slow here, not the client, so no client timeout applies
            server.pass(Duration.ofSeconds(5));
            goOn(exchange);
            goOn(exchange);
            assertThat(client.read().status()).isEqualTo(100);
            client.send("hello");
            assertThat(client.read().body()).isEqualTo("done");
            assertThat(client.send(HEAD).send("hello").read().body()).isEqualTo("done");
            assertThat(read).containsExactly("hello", "hello");
        }
    }

    @Test
    void clientMaySendTheBodyBefore100() throws Exception {
        try (RawClient client = server.connect().send(HEAD + "hel")) {
            Exchange exchange = asked();
            await().until(() -> read.contains("hel"));
            goOn(exchange);
            server.settle();
            assertThat(client.send("lo").read().body()).isEqualTo("done");
        }
    }

    @Test
    void finalResponseWithout100ClosesTheConnection() throws Exception {
        try (RawClient client = server.connect().send(HEAD)) {
            answer(asked(), "no");
            RawClient.Answer answer = client.read();
            assertThat(answer.body()).isEqualTo("no");
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void slowHandlerBefore100Gets504() throws Exception {
        try (RawClient client = server.connect().send(HEAD)) {
            asked();
            server.pass(Duration.ofSeconds(11));
            assertThat(client.read().status()).isEqualTo(504);
        }
    }

    @Test
    void stalledBodyAfter100Gets408() throws IOException, InterruptedException {
        try (RawClient client = server.connect().send(HEAD)) {
            goOn(asked());
            assertThat(client.read().status()).isEqualTo(100);
            server.pass(Duration.ofSeconds(5));
            assertThat(client.read().status()).isEqualTo(408);
        }
    }
}
