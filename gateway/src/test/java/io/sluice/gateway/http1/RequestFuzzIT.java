package io.sluice.gateway.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.handlers.http.EchoHandler;
import io.sluice.testing.LeakCheck;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Broken requests over a socket: each gets an answer, and never one that blames the gateway. */
class RequestFuzzIT {
    private static HandlerServer server;

    @BeforeContainer
    static void start() {
        server = HandlerServer.start(RequestFuzzTest.collect(64),
                HandlerServer.route("/a/**", new EchoHandler()));
    }

    @AfterContainer
    static void stop() throws InterruptedException {
        server.close();
        LeakCheck.requireNone();
    }

    @Property
    void brokenRequestsAreAnsweredOrRefusedAndTheConnectionEnds(@ForAll("broken") String text,
            @ForAll("cuts") List<Integer> cuts) throws IOException {
        try {
            assertThat(answers(text, cuts)).matches("(?s)|HTTP/1\\.1 .*")
                    .doesNotContainPattern("HTTP/1\\.1 (50[0234]|[367]|2.[1235-9])");
        } catch (SocketException e) {
            // An echo was cut off, as its request proved to be broken after the answer had begun.
            assertThat(text).contains("/a");
        }
        try (RawClient client = server.connect()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
            assertThat(client.read().body()).isEqualTo("hello");
        }
    }

    /** Returns all bytes until the gateway ends the connection; throws if it does not in time. */
    private static String answers(String text, List<Integer> cuts) throws IOException {
        try (RawClient client = server.connect()) {
            for (String piece : FuzzedRequests.cut(text, cuts)) {
                client.send(piece);
            }
            client.socket().shutdownOutput();
            return new String(client.socket().getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Property
    void resultIsIndependentOfFragmentation(@ForAll("plain") String text, @ForAll("cuts") List<Integer> cuts)
            throws IOException {
        SentResponses answers = SentResponses.of(answers(text, List.of(Integer.MAX_VALUE)));

        assertThat(SentResponses.of(answers(text, cuts))).isEqualTo(answers);
    }

    @Provide
    Arbitrary<String> broken() {
        return FuzzedRequests.broken();
    }

    /** Returns requests that are not echoed. The chunks of an echo depend on the pieces of its request. */
    @Provide
    Arbitrary<String> plain() {
        return FuzzedRequests.broken().map(text -> text.replace("/a", "/b"));
    }

    @Provide
    Arbitrary<List<Integer>> cuts() {
        return FuzzedRequests.cuts();
    }
}
