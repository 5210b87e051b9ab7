package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.websocket.SocketServer.Recorder;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A handler that has paused gets no message, and all of them when it goes on. */
class PausedSocketIT {
    private final CompletableFuture<Exchange> waiting = new CompletableFuture<>();
    private final Recorder handler = new Recorder() {
        @Override
        public void opened(WebSocket socket) {
            socket.pause();
            super.opened(socket);
        }

        @Override
        public void text(WebSocket socket, ByteBuf message) {
            super.text(socket, message);
            if (message.readableBytes() == 1) {
                socket.pause();
            }
        }
    };
    private SocketServer server;

    @BeforeEach
    void start() {
        server = SocketServer.withClock(new SocketSettings().keepAlive(50, 500), handler,
                HandlerServer.route("/wait", waiting::complete));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void answersPings() throws Exception {
        try (RawSocket socket = server.open()) {
            socket.send(ClientFrame.of(ClientFrame.PING, "a"));
            assertThat(read(socket, Opcode.PONG).text()).isEqualTo("a");
            socket.send(ClientFrame.of(ClientFrame.PING, "b"));
            assertThat(read(socket, Opcode.PONG).text()).isEqualTo("b");
        }
    }

    @Test
    void holdsMessagesBackUntilTheyAreWanted() throws Exception {
        try (RawSocket socket = server.open()) {
            WebSocket paused = paused();
            socket.send(ClientFrame.of(ClientFrame.TEXT, "one"), ClientFrame.of(ClientFrame.TEXT, "2"),
                    ClientFrame.of(ClientFrame.TEXT, "three"));
            socket.send(ClientFrame.of(ClientFrame.TEXT, "four"));
            assertThat(handler.rest()).isEmpty();

            resume(paused);
            assertThat(handler.next()).isEqualTo("text one");
            assertThat(handler.next()).isEqualTo("text 2");
            socket.send(ClientFrame.of(ClientFrame.TEXT, "five"));
            assertThat(handler.rest()).isEmpty();
            resume(paused);
            assertThat(handler.next()).isEqualTo("text three");
            assertThat(handler.next()).isEqualTo("text four");
            assertThat(handler.next()).isEqualTo("text five");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 100})
    void handsOnAMessageThatCameAloneWhateverItsSize(int size) throws Exception {
        try (RawSocket socket = server.open()) {
            WebSocket paused = paused();
            socket.send(ClientFrame.of(ClientFrame.PING, "a"),
                    ClientFrame.of(ClientFrame.TEXT, "b".repeat(size)));
            assertThat(read(socket, Opcode.PONG).text()).isEqualTo("a");

            resume(paused);
            assertThat(handler.next()).isEqualTo("text " + "b".repeat(size));
        }
    }

    /** What it does not read, it cannot hold against its client that it was not said. */
    @Test
    void isNotClosedAsIdleWhileItsClientWaits() throws Exception {
        try (RawSocket socket = server.open()) {
            WebSocket paused = paused();
            socket.send(ClientFrame.of(ClientFrame.TEXT, "one"));
            for (int i = 0; i < 24; i++) {
                server.pass(50);
                assertThat(socket.read().opcode()).isEqualTo(Opcode.PING);
                socket.send(ClientFrame.of(ClientFrame.PONG));
            }
            resume(paused);
            assertThat(handler.next()).isEqualTo("text one");
        }
    }

    @Test
    void closesBehindMessagesThatNobodyWantsAnyMore() throws Exception {
        try (RawSocket socket = server.open()) {
            WebSocket paused = paused();
            socket.send(ClientFrame.of(ClientFrame.TEXT, "one"), ClientFrame.of(ClientFrame.PING, "p"));
            paused.eventLoop().execute(() -> paused.close(WebSocketCloseStatus.NORMAL_CLOSURE));
            assertThat(read(socket, Opcode.CLOSE).closeCode()).isEqualTo(1000);

            socket.send(ClientFrame.close(1000, ""));
            assertThat(socket.isClosed()).isTrue();
        }
        assertThat(handler.next()).isEqualTo("closed");
        assertThat(handler.rest()).isEmpty();
    }

    @Test
    void answersACloseWithNothingBeforeIt() throws Exception {
        try (RawSocket socket = server.open()) {
            paused();
            socket.send(ClientFrame.close(1000, ""));

            assertThat(read(socket, Opcode.CLOSE).closeCode()).isEqualTo(1000);
            assertThat(socket.isClosed()).isTrue();
        }
    }

    @Test
    void losesNothingThatCameBeforeItsHandshakesTurn() throws Exception {
        try (RawSocket socket = RawSocket.connect(server.port())) {
            socket.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.UTF_8),
                    RawSocket.handshake("/"));
            Exchange before = waiting.get();
            byte[] first = ClientFrame.of(ClientFrame.TEXT, "a".repeat(9000));
            socket.send(first, ClientFrame.of(ClientFrame.TEXT, "b"), ClientFrame.of(ClientFrame.TEXT));
            server.http().settle();
            HandlerServer.answer(before, "done");
            assertThat(socket.readAnswer().body()).isEqualTo("done");
            socket.requireUpgraded();

            WebSocket paused = paused();
            resume(paused);
            assertThat(handler.next()).isEqualTo("text " + "a".repeat(9000));
            assertThat(handler.next()).isEqualTo("text b");
            resume(paused);
            assertThat(handler.next()).isEqualTo("text ");
        }
    }

    /** Frames behind a handshake that waits: to HTTP they are the beginning of a request line. */
    @Test
    void losesNothingThatCameTogetherWithAHandshakeThatHadToWait() throws Exception {
        try (RawSocket socket = RawSocket.connect(server.port())) {
            socket.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.UTF_8),
                    RawSocket.handshake("/", RawSocket.DEFLATE), compressed("one"), compressed("two"));
            HandlerServer.answer(waiting.get(), "done");
            assertThat(socket.readAnswer().body()).isEqualTo("done");
            socket.requireUpgraded();
            WebSocket paused = paused();
            socket.send(ClientFrame.of(ClientFrame.TEXT, "three"));
            server.http().settle();
            assertThat(handler.rest()).isEmpty();

            resume(paused);
            assertThat(handler.next()).isEqualTo("text one");
            assertThat(handler.next()).isEqualTo("text two");
            assertThat(handler.next()).isEqualTo("text three");
        }
    }

    private static byte[] compressed(String text) {
        return ClientFrame.of(ClientFrame.TEXT | ClientFrame.COMPRESSED,
                ClientFrame.deflated(text.getBytes(StandardCharsets.UTF_8)));
    }

    private WebSocket paused() throws InterruptedException {
        assertThat(handler.next()).isEqualTo("opened");
        return handler.socket();
    }

    private static void resume(WebSocket socket) {
        socket.eventLoop().execute(socket::resume);
    }

    /** The next frame of a kind; pings are passed over. */
    private static RawSocket.Frame read(RawSocket socket, int opcode) throws Exception {
        RawSocket.Frame frame = socket.read();
        while (frame.opcode() == Opcode.PING) {
            frame = socket.read();
        }
        assertThat(frame.opcode()).isEqualTo(opcode);
        return frame;
    }
}
