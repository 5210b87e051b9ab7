package io.sluice.gateway.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RunningGateway;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** gRPC calls through the proxy. */
@Timeout(120)
class ProxiedGrpcIT {
    private static final String TYPE = "application/grpc+proto";
    private static final String HEADER = "\0\0\0\0\1";

    private FrameOrigin origin;
    private RunningGateway gateway;
    private FrameClient client;
    /** The endpoint's side of the connection; null until {@link #call}. */
    private FrameClient server;

    @BeforeEach
    void start() throws IOException {
        origin = new FrameOrigin();
        gateway = gateway(origin.port(), "");
        client = FrameClient.greet(gateway.connect());
    }

    private void restart(String settings) throws IOException {
        client.close();
        gateway.close();
        gateway = gateway(origin.port(), settings);
        client = FrameClient.greet(gateway.connect());
    }

    private static RunningGateway gateway(int port, String more) {
        return RunningGateway.start("""
                sluice {
                  server.worker-threads = 1
                  upstreams.origin { endpoints = ["http://127.0.0.1:%d"], protocol = h2c, deadline = 30s }
                  tokens.alice.sha256 = "%s"
                  routes {
                    proxy { path = "/**", handler = proxy, upstream = origin, max-body = 1KiB }
                    quiet { path = "/quiet/**", handler = proxy, upstream = origin, idle = 1s }
                    closed { path = "/closed/**", handler = proxy, upstream = origin, tokens = [alice] }
                  }
                }
                """.formatted(port, "0".repeat(64)) + more);
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        gateway.close();
        origin.close();
    }

    /** Begins a call, on stream 1 of the client; returns the fields that the endpoint receives. */
    private Map<String, String> call(String... more) throws IOException {
        String[] fields = {"content-type", TYPE, "te", "trailers"};
        String[] all = Arrays.copyOf(fields, fields.length + more.length);
        System.arraycopy(more, 0, all, fields.length, more.length);
        return send("/echo.Echo/Call", all);
    }

    private Map<String, String> send(String path, String... fields) throws IOException {
        client.send(FrameClient.post(1, path, fields));
        server = origin.accept();
        return server.headers(server.await(Frame.HEADERS, 3));
    }

    /** Sends the head of the endpoint's response; returns when the client has got it. */
    private void respond() throws IOException {
        server.send(FrameClient.headers(3, false, ":status", "200", "content-type", TYPE));
        client.await(Frame.HEADERS, 1);
    }

    /** Returns a message on the client's stream 1, or on stream 3, the first one of Netty's client. */
    private static Frame message(int stream, boolean end, String text) {
        return FrameClient.data(stream, end, message(text));
    }

    /** Returns a message with its header: a flag, and the length in four bytes. */
    private static String message(String text) {
        return "\0\0\0" + (char) (text.length() >> 8) + (char) (text.length() & 0xFF) + text;
    }

    private static Frame trailers(String status) {
        return FrameClient.headers(3, true, "grpc-status", status, "grpc-message", "done");
    }

    @Test
    void passUnaryCallsWithTheirTrailers() throws IOException {
        assertThat(call()).containsEntry("te", "trailers").containsEntry("content-type", TYPE);
        client.send(message(1, true, "a"));
        assertThat(server.body(3)).asString().isEqualTo(message("a"));
        server.send(FrameClient.headers(3, false, ":status", "200", "content-type", TYPE),
                message(3, false, "b"),
                trailers("0"));
        assertThat(client.headers(client.await(Frame.HEADERS, 1))).containsEntry(":status", "200");
        assertThat(client.await(Frame.DATA, 1).payload()).asString().isEqualTo(message("b"));
        Frame end = client.await(Frame.HEADERS, 1);
        assertThat(end.has(Frame.END_STREAM)).isTrue();
        assertThat(client.headers(end)).containsEntry("grpc-status", "0")
                .containsEntry("grpc-message", "done");
    }

    @Test
    void passTrailersOnlyResponses() throws IOException {
        call();
        client.send(message(1, true, "a"));
        server.body(3);
        server.send(FrameClient.headers(3, true, ":status", "200", "content-type", TYPE, "grpc-status", "5"));
        Frame only = client.await(Frame.HEADERS, 1);
        assertThat(only.has(Frame.END_STREAM)).isTrue();
        assertThat(client.headers(only)).containsEntry("grpc-status", "5");
    }

    /** A call that streams in both directions includes client streaming and server streaming. */
    @Test
    void passMessagesOfBothSidesAsTheyCome() throws IOException {
        call();
        respond(); // the head comes before any message
        for (int i = 0; i < 3; i++) {
            client.send(message(1, false, "ping" + i));
            assertThat(server.await(Frame.DATA, 3).payload()).asString().isEqualTo(message("ping" + i));
            server.send(message(3, false, "pong" + i));
            assertThat(client.await(Frame.DATA, 1).payload()).asString().isEqualTo(message("pong" + i));
        }
        client.send(FrameClient.data(1, true, ""));
        assertThat(server.await(Frame.DATA, 3).has(Frame.END_STREAM)).isTrue();
        server.send(trailers("0"));
        assertThat(client.headers(client.await(Frame.HEADERS, 1))).containsEntry("grpc-status", "0");
    }

    @Test
    void passTheTrailersOfTheClient() throws IOException {
        call();
        client.send(message(1, false, "a"), FrameClient.headers(1, true, "x-checksum", "1"));
        server.await(Frame.DATA, 3);
        Frame end = server.await(Frame.HEADERS, 3);
        assertThat(end.has(Frame.END_STREAM)).isTrue();
        assertThat(server.headers(end)).containsEntry("x-checksum", "1");
    }

    @Test
    void endWithTheirDeadlineAndTellItToTheEndpoint() throws IOException {
        String left = call("grpc-timeout", "1500m").get("grpc-timeout");
        assertThat(left).matches("[0-9]+m");
        assertThat(Integer.parseInt(left.substring(0, left.length() - 1))).isBetween(1, 1500);
        assertFailure("4");
        assertThat(server.resetOf(3)).isEqualTo(Frame.CANCEL);
    }

    @Test
    void failByAStatusOfTheirOwnWhereTheEndpointIsGone() throws IOException {
        int free;
        try (var closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = closed.getLocalPort();
        }
        try (RunningGateway alone = gateway(free, "")) {
            client.close();
            client = FrameClient.greet(alone.connect());
            client.send(FrameClient.headers(1, true,
                    FrameClient.request("POST", "/echo.Echo/Call", "content-type", TYPE)));
            assertThat(assertFailure("14"))
                    .containsEntry("grpc-message", "connect: the upstream cannot be reached");
        }
    }

    /** The table in section "Errors" of the specification of gRPC over HTTP/2. */
    @ParameterizedTest
    @CsvSource({"0, 13", "2, 13", "7, 14", "8, 1", "11, 8", "12, 7", "99, 13"})
    void failByTheStatusForAReset(int error, String status) throws IOException {
        call();
        server.send(Frame.rst(3, error));
        if (error == Frame.REFUSED_STREAM) {
            server.await(Frame.HEADERS, 5); // the retry
            server.send(Frame.rst(5, error));
        }
        assertFailure(status);
    }

    @Test
    void mayConsistOfMessagesThatTogetherExceedTheLimit() throws IOException {
        call();
        for (int i = 0; i < 3; i++) {
            client.send(message(1, i == 2, "x".repeat(1000)));
        }
        assertThat(server.body(3)).hasSize(3 * 1005);
    }

    @Test
    void failWhereTheirMessagesAreTooLarge() throws IOException {
        call();
        client.send(message(1, false, "x".repeat(2000)));
        assertFailure("8");
    }

    @ParameterizedTest
    @CsvSource({"/echo, 1025, 8", "/closed/echo, 5, 16"})
    void failByAStatusOfTheirOwnWhereAFilterRefusesThem(String path, String length, String status)
            throws IOException {
        client.send(FrameClient.post(1, path, "content-type", TYPE, "content-length", length));
        assertFailure(status);
    }

    @Test
    void needHttp2() throws IOException {
        try (var http1 = gateway.connect().send("POST /closed/echo HTTP/1.1\r\nHost: a\r\nContent-Type: "
                + TYPE + "\r\nContent-Length: 0\r\n\r\n")) {
            assertThat(http1.read().status()).isEqualTo(401);
        }
    }

    /** Clients of gRPC-Web refuse other types. */
    @ParameterizedTest
    @CsvSource({"application/grpc-web+proto, 200, application/grpc-web+proto",
        "application/grpc-web-text; charset=utf-8, 200, application/grpc-web-text",
        "application/grpc; x=y, 200, application/grpc", "application/grpcfoo, 401, application/problem+json"})
    void failInTheTypeOfTheirRequest(String type, String status, String response) throws IOException {
        client.send(FrameClient.post(1, "/closed/echo", "content-type", type));
        assertThat(client.headers(client.await(Frame.HEADERS, 1))).containsEntry(":status", status)
                .containsEntry("content-type", response);
    }

    /** A client that may be silent is no reason to wait for ever. */
    @Test
    void endByTheirIdleTimeWhereBothSidesAreSilent() throws IOException {
        send("/quiet/echo", "content-type", TYPE);
        respond();
        assertCutOff("4");
        assertThat(server.resetOf(3)).isEqualTo(Frame.CANCEL);
    }

    /** Many servers respond with their first message only. */
    @Test
    void endByTheirIdleTimeWhereTheEndpointHasNotRespondedToMessages() throws IOException {
        restart("sluice.routes.quiet.first-byte = 1s");
        send("/quiet/echo", "content-type", TYPE);
        client.send(message(1, false, "a"));
        assertThat(assertFailure("4")).containsEntry("grpc-message",
                "response: the upstream did not respond in time");
    }

    @Test
    void haveToSendAtAPaceWithinAMessageOnly() throws IOException {
        restart("sluice.server.timeouts.stall = 1s");
        call();
        client.send(message(1, false, "a"), FrameClient.post(3, "/echo", "content-type", TYPE),
                FrameClient.data(3, false, HEADER));
        server.await(Frame.HEADERS, 5);
        assertThat(client.headers(client.await(Frame.HEADERS, 3)).get("grpc-message"))
                .contains("too slowly");
        server.send(FrameClient.headers(3, false, ":status", "200", "content-type", TYPE));
        assertThat(client.headers(client.await(Frame.HEADERS, 1))).containsEntry(":status", "200")
                .doesNotContainKey("grpc-status");
    }

    @Test
    void endByAStatusWhereTheEndpointBreaksOff() throws IOException {
        call();
        respond();
        server.send(message(3, false, "b"));
        assertThat(client.await(Frame.DATA, 1).payload()).asString().isEqualTo(message("b"));
        server.send(Frame.rst(3, Frame.INTERNAL_ERROR));
        assertCutOff("13");
    }

    private void assertCutOff(String status) throws IOException {
        Frame trailers = client.await(Frame.HEADERS, 1);
        assertThat(trailers.has(Frame.END_STREAM)).isTrue();
        assertThat(client.headers(trailers)).containsOnlyKeys("grpc-status", "grpc-message")
                .containsEntry("grpc-status", status);
        assertThat(client.resetOf(1)).isEqualTo(Frame.NO_ERROR); // the client need not end its request
    }

    private Map<String, String> assertFailure(String status) throws IOException {
        Frame only = client.await(Frame.HEADERS, 1);
        assertThat(only.has(Frame.END_STREAM)).isTrue();
        return assertThat(client.headers(only)).containsEntry(":status", "200")
                .containsEntry("content-type", "application/grpc")
                .containsEntry("grpc-status", status).actual();
    }
}
