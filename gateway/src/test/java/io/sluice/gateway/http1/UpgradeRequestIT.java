package io.sluice.gateway.http1;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.tunnel.EchoTunnel;
import io.sluice.handlers.Exchange;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that offer an upgrade, with a body or further requests behind their heads. */
class UpgradeRequestIT {
    private static final String HEAD = " HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: test\r\n";
    private static final String CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";
    private static final String HELLO = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";

    private final LinkedBlockingQueue<Exchange> waiting = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> read = new LinkedBlockingQueue<>();
    private final EchoTunnel tunnel = new EchoTunnel();
    private HandlerServer server;

    /** Reads a body; if slow, it pauses after each piece. */
    private final class Reader implements Exchange.BodyReader {
        private final boolean slow;

        Reader(boolean slow) {
            this.slow = slow;
        }

        @Override
        public boolean content(ByteBuf content) {
            read.add(content.toString(StandardCharsets.US_ASCII));
            content.release();
            return !slow;
        }

        @Override
        public void end(HttpHeaders trailers) {
            read.add("end");
        }
    }

    @BeforeEach
    void start() {
        server = HandlerServer.start(
                route("/hello", exchange -> answer(exchange, "hello")),
                route("/wait", waiting::add),
                route("/unread", tunnel::accept),
                route("/read", exchange -> {
                    exchange.streamBody(new Reader(false));
                    tunnel.accept(exchange);
                }),
                route("/collected", exchange -> {
                    exchange.readBody(body -> read.add(body.toString(StandardCharsets.US_ASCII)));
                    tunnel.accept(exchange);
                }),
                route("/slow", exchange -> {
                    exchange.streamBody(new Reader(true));
                    tunnel.accept(exchange);
                    waiting.add(exchange);
                }),
                route("/refused", exchange -> {
                    exchange.limitBody(5);
                    tunnel.accept(exchange);
                }));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Exchange asked() throws InterruptedException {
        return waiting.poll(30, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Content-Length: 3\r\n"})
    void mayBeAnsweredAsOthersAre(String length) throws Exception {
        try (RawClient client = server.connect()) {
            client.send("GET /wait" + HEAD + length + "\r\n" + (length.isEmpty() ? "" : "abc"));
            client.send(HELLO + HELLO);
            Exchange exchange = asked();
            client.send(HELLO);
            server.settle();
            answer(exchange, "no");
            assertThat(client.read().body()).isEqualTo("no");
            for (int i = 0; i < 3; i++) {
                assertThat(client.read().body()).isEqualTo("hello");
            }
            assertThat(client.send(HELLO).read().body()).isEqualTo("hello");
        }
    }

    @Test
    void mayComeBehindOthers() throws Exception {
        try (RawClient client = server.connect()) {
            client.send(HELLO + HELLO.replace("hello", "wait") + "GET /unread" + HEAD + "\r\n" + HELLO);
            assertThat(client.read().body()).isEqualTo("hello");
            answer(asked(), "waited");
            assertThat(client.read().body()).isEqualTo("waited");
            assertThat(client.readHead().status()).isEqualTo(101);
            assertThat(client.read(HELLO.length())).isEqualTo(HELLO);
        }
    }

    @ParameterizedTest
    @CsvSource({"/unread, ''", "/read, abc def end", "/collected, abcdef"})
    void isUpgradedBehindItsBody(String target, String expected) throws Exception {
        try (RawClient client = server.connect()) {
            client.send("POST " + target + HEAD + "Content-Length: 6\r\n\r\nabc");
            server.settle();
            client.send("def" + HELLO);
            assertThat(client.readHead().status()).isEqualTo(101);
            assertThat(client.read(HELLO.length())).isEqualTo(HELLO);
            assertThat(String.join(" ", read)).isEqualTo(expected);
        }
    }

    /** The handler pauses the body after each piece. */
    @Test
    void isUpgradedWhenItsBodyHasBeenRead() throws Exception {
        try (RawClient client = server.connect()) {
            String first = "a".repeat(600); // small pieces would be joined
            String second = "b".repeat(600);
            client.send("POST /slow" + HEAD + CHUNKED + "258\r\n" + first + "\r\n258\r\n" + second
                    + "\r\n0\r\n\r\n" + HELLO);
            Exchange exchange = asked();
            server.settle();
            assertThat(read).containsExactly(first);
            exchange.resumeBody();
            await().until(() -> read.contains(second));
            exchange.resumeBody();
            assertThat(client.readHead().status()).isEqualTo(101);
            assertThat(client.read(HELLO.length())).isEqualTo(HELLO);
            assertThat(read).containsExactly(first, second, "end");
        }
    }

    @Test
    void isRefusedWithABodyThatIsTooLarge() throws Exception {
        try (RawClient client = server.connect()) {
            client.send("POST /refused" + HEAD + CHUNKED + "6\r\nabcdef\r\n0\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(413);
        }
    }
}
