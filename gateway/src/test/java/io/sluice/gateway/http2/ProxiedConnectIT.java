package io.sluice.gateway.http2;

import static io.sluice.gateway.http2.FrameClient.headers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.proxy.ByteOrigin;
import io.sluice.gateway.proxy.ProxyBed;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Extended CONNECTs (RFC 8441) to a proxied endpoint, where no tunnel begins or where it breaks. */
class ProxiedConnectIT {

    private static String statusOf(ProxyBed proxy, String protocol) throws IOException {
        try (FrameClient client = FrameClient.greet(proxy.connect())) {
            client.send(connect(protocol));
            return client.headers(client.await(Frame.HEADERS, 1)).get(":status");
        }
    }

    private static Frame connect(String protocol) {
        return headers(1, false, ":method", "CONNECT", ":protocol", protocol, ":scheme", "http",
                ":path", "/jobs/run", ":authority", "a", "sec-websocket-version", "13");
    }

    @Test
    void forOtherProtocolsDoNotReachTheEndpoint() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering("HTTP/1.1 204 No Content\r\n\r\n"))) {
            assertThat(statusOf(proxy, "connect-udp")).isEqualTo("501");
            assertThat(proxy.origin().requests()).isEmpty();
        }
    }

    /** Otherwise the application would serve the page of a WebSocket's path, as HTTP/2 knows no Upgrade. */
    @Test
    void doNotReachAnEndpointOfHttp2() throws IOException {
        try (var proxy = ProxyBed.start("sluice.upstreams.origin.protocol = h2c",
                ByteOrigin.playing(ByteOrigin.Connection::drain))) {
            assertThat(statusOf(proxy, "websocket")).isEqualTo("501");
            RawClient.Answer answer = proxy.get("/", "Connection: Upgrade", "Upgrade: websocket",
                    "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");
            assertThat(answer.status()).isEqualTo(501);
            assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
            assertThat(answer.body()).contains("its upstream speaks HTTP/2 only");
            assertThat(proxy.origin().connections()).isZero();
        }
    }

    /** The gateway has chosen the key, so that nobody else can check whether the endpoint accepts it. */
    @ParameterizedTest
    @ValueSource(strings = {"", "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"})
    void needAnEndpointThatAcceptsTheirKey(String accept) throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send("HTTP/1.1 101 A\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" + accept + "\r\n")
                    .drain();
        }))) {
            assertThat(statusOf(proxy, "websocket")).isEqualTo("502");
            await().until(() -> proxy.origin().open() == 0);
        }
    }

    /** A Close is the end, although an endpoint that has not read all input closes its socket by a reset. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void areResetWithTheConnectionOfTheEndpointUnlessItHasSentAClose(boolean close) throws IOException {
        var passed = new CountDownLatch(1);
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.send(origin.accepted() + (close ? "\u0088\0" : "\u0081\5ab"));
            passed.await();
            origin.socket().setSoLinger(true, 0);
        })); FrameClient client = FrameClient.greet(proxy.connect())) {
            client.send(connect("websocket"));
            assertThat(client.await(Frame.DATA, 1).has(Frame.END_STREAM)).isFalse();
            passed.countDown();
            Frame end = client.read();
            assertThat(end.is(close ? Frame.DATA : Frame.RST_STREAM)).as(end.toString()).isTrue();
        }
    }

    /** The endpoint ignores the offer of a WebSocket, and its answer would never end. */
    @Test
    void endTheAnswerThatIsNoTunnel() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.request();
            origin.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n").drain();
        }))) {
            assertThat(statusOf(proxy, "websocket")).isEqualTo("501");
            await().until(() -> proxy.upstream().permits().stats().busy() == 0);
            await().until(() -> proxy.origin().open() == 0);
            assertThat(proxy.origin().requests()).hasSize(1);
        }
    }
}
