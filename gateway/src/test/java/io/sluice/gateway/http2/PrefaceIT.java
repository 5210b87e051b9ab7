package io.sluice.gateway.http2;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Detection of the version of HTTP on the plain port. */
class PrefaceIT {
    private static HandlerServer server;

    @BeforeAll
    static void start() {
        server = HandlerServer.start(route("/", exchange ->
                answer(exchange, exchange.request().protocolVersion() + " " + exchange.request().method())));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 18, 23, 24, 25, 33, 100})
    void thePrefaceMayComeInPiecesOfAnySize(int size) throws IOException {
        byte[] all = bytes(FrameClient.PREFACE, Frame.settings(), FrameClient.get(1, "/"));
        try (var socket = new RawClient(server.port())) {
            for (int at = 0; at < all.length; at += size) {
                socket.send(Arrays.copyOfRange(all, at, Math.min(all.length, at + size)));
            }
            try (FrameClient client = FrameClient.open(socket)) {
                assertThat(client.answer(1).body()).isEqualTo("HTTP/2.0 GET");
            }
        }
    }

    private static byte[] bytes(String preface, Frame... frames) {
        var all = new ByteArrayOutputStream();
        all.writeBytes(preface.getBytes(StandardCharsets.US_ASCII));
        for (Frame frame : frames) {
            all.writeBytes(frame.bytes());
        }
        return all.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({"POST, 200", "PUT, 200", "PATCH, 200", "PROPFIND, 405", "P, 405", "PR, 405", "PRI, 405",
        "PRIX, 405", "GET, 200"})
    void requestsThatBeginLikeThePrefaceAreHttp1(String method, int status) throws IOException {
        String request = method + " / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n";
        try (var socket = new RawClient(server.port())) {
            assertThat(socket.send(request).read().status()).isEqualTo(status);
        }
        try (var socket = new RawClient(server.port())) {
            for (char c : request.toCharArray()) {
                socket.send(String.valueOf(c));
            }
            assertThat(socket.read().status()).isEqualTo(status);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PRI * HTTP/2.0\r\n\r\nSM\r\n\rX", "PRI * HTTP/2.0\r\nHost: a\r\n\r\n",
        "PRI * HTTP/2.0\n"})
    void aPrefaceThatIsNotQuiteOneIsRefused(String preface) throws IOException {
        try (var socket = new RawClient(server.port())) {
            int status = socket.send(preface).send("\r\n\r\n").read().status();

            assertThat(status).isBetween(400, 505);
            assertThat(socket.isClosed()).isTrue();
        }
    }

    @Test
    void aPrefaceWithoutSettingsBehindItIsRefused() throws IOException {
        try (var socket = new RawClient(server.port())) {
            socket.send(FrameClient.PREFACE).send(Frame.ping().bytes());
            try (FrameClient client = FrameClient.open(socket)) {
                assertThat(client.goAway()).isEqualTo(Frame.PROTOCOL_ERROR);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"P", "PRI * HTTP/2.0\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"})
    void aClientThatGoesAwayWithinItLeavesNothing(String part) throws IOException {
        try (var socket = new RawClient(server.port())) {
            await().until(() -> server.connections().count() == 1);
            socket.send(part);
        }
        await().until(() -> server.connections().count() == 0);
        assertThat(server.ended()).noneMatch(ended -> ended.status() != 200 && ended.uri().equals("/"));
    }

    /** The upgrade to h2c is obsolete (RFC 9113 section 3.1). */
    @Test
    void anUpgradeIsIgnored() throws Exception {
        try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
            HttpResponse<String> answer = client.send(HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + server.port() + "/")).timeout(Duration.ofSeconds(60))
                    .build(), HttpResponse.BodyHandlers.ofString());

            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
            assertThat(answer.body()).isEqualTo("HTTP/1.1 GET");
        }
    }
}
