package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.websocket.SocketServer.Recorder;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Frames that arrive before their handshake is answered, which waits for another request of HTTP/1.1. The
 * handler has paused.
 */
class EarlyFramesIT {
    private static final byte[] BEFORE =
            "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.UTF_8);

    private final CompletableFuture<Exchange> waiting = new CompletableFuture<>();
    private final Recorder handler = new Recorder() {
        @Override
        public void opened(WebSocket socket) {
            socket.pause();
            super.opened(socket);
        }
    };
    private SocketServer server;

    @BeforeEach
    void start() {
        server = new SocketServer(new SocketSettings(), handler,
                HandlerServer.route("/wait", waiting::complete));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void areNotLost() throws Exception {
        try (RawSocket socket = RawSocket.connect(server.port())) {
            socket.send(BEFORE, RawSocket.handshake("/"));
            Exchange before = waiting.get();
            socket.send(ClientFrame.of(ClientFrame.TEXT, "a".repeat(9000)),
                    ClientFrame.of(ClientFrame.TEXT, "b"), ClientFrame.of(ClientFrame.TEXT));
            server.http().settle();
            open(socket, before);

            assertThat(handler.next()).isEqualTo("text " + "a".repeat(9000));
            assertThat(handler.next()).isEqualTo("text b");
            assertThat(handler.next()).isEqualTo("text ");
        }
    }

    /** The HTTP decoder takes these frames for the beginning of a request line. */
    @Test
    void areNotLostWhereTheyCameTogetherWithTheHandshake() throws Exception {
        try (RawSocket socket = RawSocket.connect(server.port())) {
            socket.send(BEFORE, RawSocket.handshake("/", RawSocket.DEFLATE), compressed("one"),
                    compressed("two"));
            open(socket, waiting.get());
            socket.send(ClientFrame.of(ClientFrame.TEXT, "three"));

            assertThat(handler.next()).isEqualTo("text one");
            assertThat(handler.next()).isEqualTo("text two");
            assertThat(handler.next()).isEqualTo("text three");
        }
    }

    private void open(RawSocket socket, Exchange before) throws Exception {
        HandlerServer.answer(before, "done");
        assertThat(socket.readAnswer().body()).isEqualTo("done");
        socket.requireUpgraded();
        assertThat(handler.next()).isEqualTo("opened");
        WebSocket paused = handler.socket();
        server.http().settle();
        assertThat(handler.rest()).isEmpty();
        paused.eventLoop().execute(paused::resume);
    }

    private static byte[] compressed(String text) {
        return ClientFrame.of(ClientFrame.TEXT | ClientFrame.COMPRESSED,
                ClientFrame.deflated(text.getBytes(StandardCharsets.UTF_8)));
    }
}
