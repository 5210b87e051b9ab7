package io.sluice.gateway.http2;

import static io.sluice.gateway.http2.FrameClient.data;
import static io.sluice.gateway.http2.FrameClient.get;
import static io.sluice.gateway.http2.FrameClient.headers;
import static io.sluice.gateway.http2.FrameClient.post;
import static io.sluice.gateway.http2.FrameClient.request;
import static io.sluice.gateway.proxy.ProxyBed.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.proxy.ByteOrigin;
import io.sluice.gateway.proxy.ProxyBed;
import io.sluice.handlers.upstream.RequestStage;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/2 streams that are proxied to an HTTP/1.1 origin. */
class ProxiedStreamIT {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    private static FrameClient connect(ProxyBed proxy) throws IOException {
        return FrameClient.greet(proxy.connect());
    }

    @Test
    void becomeRequestsWithChunksAndTrailers() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(OK)); FrameClient client = connect(proxy)) {
            client.send(post(1, "/a?b", "te", "trailers", "cookie", "a=1", "cookie", "b=2", "x-two", "1",
                    "x-two", "2"), data(1, false, "abc"), data(1, false, "defg"),
                    headers(1, true, "x-sum", "7", "x-forwarded-for", "1.2.3.4"));
            assertThat(client.answer(1).body()).isEqualTo("ok");
            assertThat(proxy.origin().requests().getFirst())
                    .startsWith("POST /a?b HTTP/1.1\r\nHost: a\r\n")
                    .contains("\r\nx-two: 1\r\nx-two: 2\r\n", "\r\ncookie: a=1; b=2\r\n",
                            "\r\nVia: 2 sluice\r\n", "\r\nte: trailers\r\n", "\r\nConnection: TE\r\n",
                            "\r\nTransfer-Encoding: chunked\r\n", "\r\nX-Forwarded-Host: a\r\n")
                    .endsWith("\r\n0\r\nx-sum: 7\r\n\r\n").doesNotContain(":path", "1.2.3.4");
        }
    }

    @ParameterizedTest
    @CsvSource({"GET, '\r\n'", "POST, 'Content-Length: 0\r\n\r\n'"})
    void withoutABodyBecomeRequestsWithoutOne(String method, String end) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(OK)); FrameClient client = connect(proxy)) {
            client.send(headers(1, true, request(method, "/")));
            assertThat(client.answer(1).status()).isEqualTo(200);
            assertThat(proxy.origin().requests().getFirst()).endsWith("\r\nVia: 2 sluice\r\n" + end);
        }
    }

    @Test
    void getInformationalResponsesBodiesAndTrailers() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering("HTTP/1.1 103 A\r\nLink: </a>\r\n\r\n" + CHUNKED
                + "2\r\nab\r\n1\r\nc\r\n0\r\nX-Sum: 3\r\nConnection: a\r\n\r\n"));
                FrameClient client = connect(proxy)) {
            for (int stream = 1; stream <= 3; stream += 2) {
                client.send(get(stream, "/"));
                assertThat(client.answer(stream).headers())
                        .isEqualTo(Map.of(":status", "103", "link", "</a>"));
                Map<String, String> head = client.headers(client.await(Frame.HEADERS, stream));
                assertThat(head).containsEntry(":status", "200").containsEntry("via", "1.1 sluice")
                        .doesNotContainKeys("transfer-encoding", "connection");
                Frame trailers = client.await(Frame.HEADERS, stream);
                assertThat(client.headers(trailers)).isEqualTo(Map.of("x-sum", "3"));
                assertThat(trailers.has(Frame.END_STREAM)).isTrue();
            }
            assertThat(proxy.origin().connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 2\r\n\r\nok", "\r\n",
        "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 2\r\n\r\n"})
    void getNoContentOf205(String rest) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering("HTTP/1.1 205 Reset Content\r\n" + rest));
                FrameClient client = connect(proxy)) {
            for (int stream = 1; stream <= 3; stream += 2) {
                client.send(get(stream, "/"));
                Frame head = client.await(Frame.HEADERS, stream);
                assertThat(head.has(Frame.END_STREAM)).isTrue();
                assertThat(client.headers(head)).containsEntry(":status", "205")
                        .containsEntry("content-length", "0");
            }
            boolean hasLength = rest.length() > 2; // else a body may follow
            assertThat(proxy.origin().connections()).isEqualTo(hasLength ? 1 : 2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 5\r\n\r\nab", "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"})
    void areResetIfTheResponseBreaksOff(String rest) throws IOException {
        var begun = new CountDownLatch(1);
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send("HTTP/1.1 200 OK\r\n" + rest);
            begun.await();
        })); FrameClient client = connect(proxy)) {
            client.send(get(1, "/"));
            client.await(Frame.HEADERS, 1);
            assertThat(client.await(Frame.DATA, 1).has(Frame.END_STREAM)).isFalse();
            begun.countDown();
            assertThat(client.resetOf(1)).isEqualTo(Frame.INTERNAL_ERROR);
        }
    }

    @ParameterizedTest
    @CsvSource({"'', SENT", "'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab', STREAMING"})
    void areCancelledByAReset(String begin, RequestStage stage) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send(begin).drain();
        })); FrameClient client = connect(proxy)) {
            client.send(get(1, "/"));
            await().until(() -> proxy.origin().requests().size() == 1);
            if (!begin.isEmpty()) {
                client.await(Frame.DATA, 1);
            }
            client.send(Frame.rst(1, Frame.CANCEL));
            await().atMost(SOON).until(() -> proxy.upstream().cancelledWhile(stage) == 1
                    && proxy.upstream().permits().stats().busy() == 0);
            await().until(() -> proxy.origin().open() == 0);
        }
    }

    @Test
    void areCancelledByAResetWhileQueued() throws IOException {
        try (var proxy = ProxyBed.start("sluice.upstreams.origin.concurrency = 1",
                ByteOrigin.playing(ByteOrigin.Connection::drain)); FrameClient client = connect(proxy)) {
            client.send(get(1, "/"), get(3, "/"));
            await().until(() -> proxy.upstream().permits().stats().queued() == 1);
            client.send(Frame.rst(3, Frame.CANCEL));
            await().atMost(SOON).until(() -> proxy.upstream().cancelledWhile(RequestStage.QUEUED) == 1
                    && proxy.upstream().permits().stats().queued() == 0);
            assertThat(proxy.upstream().permits().stats().busy()).isEqualTo(1);
        }
    }

    /** Each concurrent stream needs a connection of its own to the origin. */
    @Test
    void areServedSideBySide() throws IOException {
        int all = 20;
        var come = new CountDownLatch(all);
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            for (String got = origin.request(); got != null; got = origin.request()) {
                come.countDown();
                come.await();
                String target = got.split(" ")[1];
                origin.send("HTTP/1.1 200 OK\r\nContent-Length: " + target.length() + "\r\n\r\n" + target);
            }
        })); FrameClient client = connect(proxy)) {
            for (int i = 0; i < all; i++) {
                client.send(get(2 * i + 1, "/" + i));
            }
            for (int i = 0; i < all; i++) {
                assertThat(client.answer(2 * i + 1).body()).isEqualTo("/" + i);
            }
            assertThat(proxy.origin().connections()).isEqualTo(all);
        }
    }

    /** A plain LIFO pool would hand each client the connection of the other. */
    @Test
    void useTheConnectionThatTheirClientUsedLast() throws IOException {
        var connections = new AtomicInteger();
        var both = new CountDownLatch(2);
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            int connection = connections.incrementAndGet();
            while (origin.request() != null) {
                both.countDown();
                both.await();
                origin.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n" + connection);
            }
        })); FrameClient client = connect(proxy); RawClient other = proxy.connect()) {
            String get = ProxyBed.request("GET", "/");
            client.send(get(1, "/"));
            String its = other.send(get).read().body();
            String own = client.answer(1).body();
            assertThat(own).isNotEqualTo(its);
            for (int stream = 3; stream <= 9; stream += 2) {
                client.send(get(stream, "/"));
                assertThat(client.answer(stream).body()).isEqualTo(own);
                assertThat(other.send(get).read().body()).isEqualTo(its);
            }
        }
    }
}
