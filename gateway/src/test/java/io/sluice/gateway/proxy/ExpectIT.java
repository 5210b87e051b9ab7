package io.sluice.gateway.proxy;

import static io.sluice.gateway.proxy.ProxyBed.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** {@code Expect: 100-continue} through the proxy. */
class ExpectIT {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String POST = request("POST", "/", "Expect: 100-Continue", "Content-Length: 5");

    @Test
    void interim100OfTheOriginIsPassedOn() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            for (String head = origin.head(); head != null; head = origin.head()) {
                origin.send("HTTP/1.1 100 Continue\r\n\r\n");
                if (origin.read(5).equals("hello")) {
                    origin.send(OK);
                }
            }
        })); RawClient client = proxy.connect()) {
            for (int i = 0; i < 2; i++) {
                assertThat(client.send(POST).read().status()).isEqualTo(100);
                assertThat(client.send("hello").read().body()).isEqualTo("ok");
            }
            assertThat(proxy.origin().requests()).hasSize(2)
                    .allMatch(head -> head.contains("expect: 100-continue\r\n"));
            assertThat(proxy.origin().connections()).isEqualTo(1);
        }
    }

    @Test
    void finalStatusReplacesThe100() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            origin.head();
            origin.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno");
            assertThat(origin.drain()).isZero();
        })); RawClient client = proxy.connect()) {
            RawClient.Answer answer = client.send(POST).read();
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.header("connection")).isEqualTo("close");
            assertThat(client.isClosed()).isTrue();
            await().until(() -> proxy.origin().open() == 0);
        }
    }

    /** The body is too large to be kept, but nothing of it has come. */
    @Test
    void retryOnAnotherConnectionPassesIts100() throws IOException {
        int large = 100_000;
        var first = new AtomicBoolean(true);
        try (var proxy = ProxyBed.start(ByteOrigin.playing(origin -> {
            if (first.getAndSet(false)) {
                origin.request();
                origin.send(OK).head();
                origin.reset();
            } else {
                origin.head();
                origin.send("HTTP/1.1 100 Continue\r\n\r\n").read(large);
                origin.send(OK).hold();
            }
        })); RawClient client = proxy.connect()) {
            assertThat(client.send(request("GET", "/")).read().status()).isEqualTo(200);
            client.send(request("PUT", "/", "Expect: 100-continue", "Content-Length: " + large));
            assertThat(client.read().status()).isEqualTo(100);
            assertThat(client.send("x".repeat(large)).read().status()).isEqualTo(200);
            assertThat(proxy.origin().connections()).isEqualTo(2);
        }
    }

    @Test
    void gatewaySends100IfTheOriginDoesNot() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering(OK)); RawClient client = proxy.connect()) {
            long sent = System.nanoTime();
            assertThat(client.send(POST).read().status()).isEqualTo(100);
            assertThat(Duration.ofNanos(System.nanoTime() - sent)).as("1 s, and more on a busy machine")
                    .isBetween(Duration.ofMillis(900), Duration.ofSeconds(6));
            assertThat(client.send("hello").read().body()).isEqualTo("ok");
            assertThat(proxy.origin().requests().getFirst()).endsWith("\r\n\r\nhello");
        }
    }

    @Test
    void clientMaySendTheBodyBefore100() throws IOException {
        try (var proxy = ProxyBed.start(ByteOrigin.answering("HTTP/1.1 100 Continue\r\n\r\n" + OK));
                RawClient client = proxy.connect()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send(POST + "hello").read().body()).isEqualTo("ok");
            }
            assertThat(proxy.origin().connections()).isEqualTo(1);
        }
    }
}
