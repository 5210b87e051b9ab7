package io.sluice.gateway.http2;

import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RunningGateway;
import io.sluice.handlers.ResponseStream;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Frames of a few bytes that wait for the windows of a client: their number, and their end. */
class UnsentFramesIT {
    private static final int INITIAL_WINDOW_SIZE = 4;
    /** Most of it is for the leak detector of the tests. Without a limit of frames their end took seconds. */
    private static final Duration BUDGET = Duration.ofMillis(40);
    private static final int STREAMS = 100;
    private static final int FRAMES = 200;

    @Test
    void queuedFramesAreBounded() throws Exception {
        var frames = new CompletableFuture<Integer>();
        try (var server = HandlerServer.start(route("/", exchange -> {
            ResponseStream stream = exchange.stream(
                    new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
            int written = 0;
            while (stream.isWritable()) {
                stream.write(Unpooled.wrappedBuffer(new byte[] {1}));
                written++;
            }
            frames.complete(written);
        })); FrameClient client = FrameClient.connect(server, INITIAL_WINDOW_SIZE, 0)) {
            client.send(FrameClient.get(1, "/"));
            assertThat(frames.get()).isBetween(30, 100);
        }
    }

    @Test
    void queuedFramesAreReleasedInShortTasks() throws Exception {
        try (var gateway = RunningGateway.start("""
                sluice.routes {
                  echo { path = /echo, handler = echo }
                  ws { path = /ws, handler = ws-echo }
                }
                """)) {
            gateway.loopBudget().requireBelow(BUDGET, () -> leaveBehind(gateway));
        }
    }

    /** Has bodies and messages of one byte sent back on all streams of a connection, and closes it. */
    private static void leaveBehind(RunningGateway gateway) throws Exception {
        try (FrameClient client = FrameClient.greet(gateway.connect(), INITIAL_WINDOW_SIZE, 0)) {
            var opening = new ByteArrayOutputStream();
            var round = new ByteArrayOutputStream();
            for (int i = 0; i < STREAMS; i++) {
                int stream = 2 * i + 1;
                boolean socket = i % 2 == 1;
                Frame head = socket ? FrameClient.headers(stream, false, ":method", "CONNECT",
                        ":protocol", "websocket", ":scheme", "http", ":path", "/ws", ":authority", "a",
                        "sec-websocket-version", "13") : FrameClient.post(stream, "/echo");
                opening.writeBytes(head.bytes());
                String piece = socket ? "\u0081\u0081\0\0\0\0x" : "x";
                round.writeBytes(FrameClient.data(stream, false, piece).bytes());
            }
            client.socket().send(opening.toByteArray());
            for (int i = 0; i < FRAMES; i++) {
                client.socket().send(round.toByteArray());
            }
            awaitTunnels(gateway, STREAMS / 2);
        }
        awaitTunnels(gateway, 0);
    }

    private static void awaitTunnels(RunningGateway gateway, int open) {
        await().atMost(Duration.ofSeconds(30)).until(() -> gateway.getAdmin("/metrics").body()
                .contains("sluice_tunnels " + open + ".0\n"));
    }
}
