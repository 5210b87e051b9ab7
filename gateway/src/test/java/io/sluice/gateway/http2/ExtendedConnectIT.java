package io.sluice.gateway.http2;

import static io.sluice.gateway.http2.FrameClient.data;
import static io.sluice.gateway.http2.FrameClient.headers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.net.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * WebSocket handshakes by extended CONNECT (RFC 8441), answered by a whole gateway. Malformed ones are tested
 * in {@link MalformedStreamIT}, and open tunnels in {@code TunnelIT}.
 */
class ExtendedConnectIT {
    private static final String OF_SECRET =
            "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";
    private static final int ENABLE_CONNECT_PROTOCOL = 8;
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int WINDOW = 64 * 1024;
    private static final int ABORTED_IN_ONE_CHECK = 4;

    private RunningGateway gateway;

    @BeforeEach
    void start() {
        gateway = RunningGateway.start("""
                sluice {
                  tokens.alice.sha256 = %s
                  routes {
                    ws { path = /ws, handler = ws-echo }
                    closed { path = /closed, handler = ws-echo, tokens = [alice] }
                    text { path = /text, handler = text, text = hi }
                  }
                }
                """.formatted(OF_SECRET));
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private static Frame connect(String protocol, String path, String... more) {
        var fields = new ArrayList<>(List.of(":method", "CONNECT", ":protocol", protocol, ":scheme", "http",
                ":path", path, ":authority", "a"));
        fields.addAll(List.of(more));
        return headers(1, false, fields.toArray(String[]::new));
    }

    private static Frame open(int stream) {
        return headers(stream, false, ":method", "CONNECT", ":protocol", "websocket", ":scheme", "http",
                ":path", "/ws", ":authority", "a", "sec-websocket-version", "13");
    }

    @Test
    void areAllowedBySettings() throws IOException {
        try (FrameClient client = FrameClient.open(gateway.connect().send(FrameClient.PREFACE))) {
            ByteBuffer settings = ByteBuffer.wrap(client.send(Frame.settings()).read().payload());
            boolean enabled = false;
            while (settings.hasRemaining()) {
                enabled |= settings.getShort() == ENABLE_CONNECT_PROTOCOL & settings.getInt() == 1;
            }
            assertThat(enabled).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            websocket | /ws      | sec-websocket-version=13                                         | 200
            WebSocket | /ws      | sec-websocket-version=13                                         | 200
            websocket | /ws      | sec-websocket-version=13;origin=http://a                         | 200
            websocket | /ws      | sec-websocket-version=13;origin=http://evil.example              | 403
            websocket | /ws      | sec-websocket-version=8                                          | 426
            chat      | /ws      | sec-websocket-version=13                                         | 501
            websocket | /text    | sec-websocket-version=13                                         | 501
            websocket | /nowhere | sec-websocket-version=13                                         | 404
            websocket | /closed  | sec-websocket-version=13                                         | 401
            websocket | /closed  | sec-websocket-version=13;authorization=Bearer wrong              | 401
            websocket | /closed  | sec-websocket-version=13;authorization=Bearer secret             | 200
            websocket | /closed  | sec-websocket-version=13;sec-websocket-protocol=bearer, secret   | 200
            websocket | /closed?access_token=secret | sec-websocket-version=13                      | 200
            """)
    void areAnswered(String protocol, String path, String fields, int status) throws IOException {
        try (FrameClient client = FrameClient.greet(gateway.connect())) {
            client.send(connect(protocol, path, fields.split("[;=](?! )")));

            Frame head = client.await(Frame.HEADERS, 1);
            Map<String, String> answer = client.headers(head);
            assertThat(answer).containsEntry(":status", String.valueOf(status))
                    .doesNotContainKeys("connection", "upgrade", "sec-websocket-accept");
            assertThat(head.has(Frame.END_STREAM)).isFalse();
            if (status == 200) {
                assertThat(answer).doesNotContainKey("content-length");
                client.send(message("open?".repeat(30).getBytes(StandardCharsets.US_ASCII)));
                assertThat(new String(client.await(Frame.DATA, 1).payload(), StandardCharsets.US_ASCII))
                        .endsWith("open?".repeat(30));
            }
        }
    }

    /** Returns a DATA frame with one binary message, masked with zeros. */
    private static Frame message(byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(8 + payload.length).put((byte) 0x82).put((byte) (0x80 | 126))
                .putShort((short) payload.length).putInt(0).put(payload);
        return new Frame(Frame.DATA, 0, 1, frame.array());
    }

    @Test
    void ofAClientThatLeavesEndItsSocket() throws IOException {
        try (FrameClient client = FrameClient.greet(gateway.connect())) {
            client.send(connect("websocket", "/ws", "sec-websocket-version", "13"));
            client.await(Frame.HEADERS, 1);
            awaitMeter("sluice_tunnels 1");
            client.send(message(new byte[200])).await(Frame.DATA, 1);
            client.send(Frame.rst(1, Frame.CANCEL));

            awaitMeter("sluice_tunnels 0");
            awaitMeter("sluice_websocket_sockets{uri=\"/ws\"} 0");
            awaitMeter("sluice_tunnels_opened_total 1");
            awaitMeter("sluice_tunnels_bytes_total{direction=\"in\"} 208");
            awaitMeter("sluice_tunnels_bytes_total{direction=\"out\"} 204");
        }
    }

    /** The client has sent a message, a close and END_STREAM; the answers wait for its window. */
    @Test
    void thatBothSidesHaveEndedAreResetIfTheirOutputIsNotRead() throws IOException {
        String ended = "\u0081\u0081\0\0\0\0x\u0088\u0080\0\0\0\0";
        try (var slow = RunningGateway.start("""
                sluice {
                  server.timeouts { stall = 100ms, min-rate = 1MiB }
                  routes.ws { path = /ws, handler = ws-echo }
                }
                """); FrameClient client = FrameClient.greet(slow.connect(), INITIAL_WINDOW_SIZE, 0)) {
            for (int stream = 1; stream < 2 * ABORTED_IN_ONE_CHECK; stream += 2) {
                client.send(open(stream), data(stream, true, ended));
            }
            for (int stream = 1; stream < 2 * ABORTED_IN_ONE_CHECK; stream += 2) {
                assertThat(client.resetOf(stream)).isEqualTo(Frame.CANCEL);
            }
        }
    }

    private void awaitMeter(String line) {
        await().untilAsserted(() -> assertThat(gateway.getAdmin("/metrics").body()).contains(line));
    }

    /** The gateway holds a bounded part of the answers; beyond it, the client's window closes. */
    @Test
    void leaveNoWindowAndHoldLittle() throws IOException {
        long before = Transport.ALLOCATOR.pinnedDirectMemory();
        try (FrameClient client = FrameClient.greet(gateway.connect(), INITIAL_WINDOW_SIZE, 0)) {
            client.send(connect("websocket", "/ws", "sec-websocket-version", "13"));
            client.await(Frame.HEADERS, 1);
            Frame message = message(new byte[8 * 1024]);
            int length = message.payload().length;
            int sent = 0;
            for (int window = WINDOW; window >= length; window += grantedUntilPong(client)) {
                for (; window >= length; window -= length) {
                    client.send(message);
                    sent += length;
                }
            }

            assertThat(sent).isBetween(WINDOW / 2, 16 * WINDOW);
            assertThat(Transport.ALLOCATOR.pinnedDirectMemory() - before).isLessThan(32 * WINDOW);
            client.send(Frame.windowUpdate(0, 1 << 30), Frame.windowUpdate(1, 1 << 30));
            int back = 0;
            // echoed messages have no mask of 4 bytes
            for (int all = sent / length * (length - 4); back < all; ) {
                back += client.await(Frame.DATA, 1).payload().length;
            }
        }
    }

    private static int grantedUntilPong(FrameClient client) throws IOException {
        client.send(Frame.ping());
        int granted = 0;
        for (Frame frame = client.read(); !frame.is(Frame.PING); frame = client.read()) {
            granted += frame.is(Frame.WINDOW_UPDATE) && frame.stream() == 1 ? frame.number() : 0;
        }
        return granted;
    }
}
