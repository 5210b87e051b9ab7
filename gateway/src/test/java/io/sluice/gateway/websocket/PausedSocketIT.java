package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.sluice.gateway.tunnel.Http;
import io.sluice.gateway.websocket.SocketServer.Recorder;
import io.sluice.handlers.WebSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paused sockets: their handler gets no messages until it resumes, and then all of them. */
@ParameterizedClass
@EnumSource
class PausedSocketIT {
    @Parameter
    private Http http;

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
        server = SocketServer.withClock(new SocketSettings().keepAlive(50, 500), handler);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void answersPings() throws Exception {
        try (RawSocket socket = server.open(http)) {
            socket.send(ClientFrame.of(ClientFrame.PING, "a"));
            assertThat(read(socket, Opcode.PONG).text()).isEqualTo("a");
            socket.send(ClientFrame.of(ClientFrame.PING, "b"));
            assertThat(read(socket, Opcode.PONG).text()).isEqualTo("b");
        }
    }

    @Test
    void holdsMessagesBackUntilTheyAreWanted() throws Exception {
        try (RawSocket socket = server.open(http)) {
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
        try (RawSocket socket = server.open(http)) {
            WebSocket paused = paused();
            socket.send(ClientFrame.of(ClientFrame.PING, "a"),
                    ClientFrame.of(ClientFrame.TEXT, "b".repeat(size)));
            assertThat(read(socket, Opcode.PONG).text()).isEqualTo("a");

            resume(paused);
            assertThat(handler.next()).isEqualTo("text " + "b".repeat(size));
        }
    }

    /** The client has answered its pings, but the paused socket does not read the pongs. */
    @Test
    void isNotClosedAsIdleWhileItsClientWaits() throws Exception {
        try (RawSocket socket = server.open(http)) {
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
    void closeDropsHeldMessages() throws Exception {
        try (RawSocket socket = server.open(http)) {
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
        try (RawSocket socket = server.open(http)) {
            paused();
            socket.send(ClientFrame.close(1000, ""));

            assertThat(read(socket, Opcode.CLOSE).closeCode()).isEqualTo(1000);
            assertThat(socket.isClosed()).isTrue();
        }
    }

    private WebSocket paused() throws InterruptedException {
        assertThat(handler.next()).isEqualTo("opened");
        return handler.socket();
    }

    private static void resume(WebSocket socket) {
        socket.eventLoop().execute(socket::resume);
    }

    /** Returns the next frame that is not a ping, which must have the given opcode. */
    private static RawSocket.Frame read(RawSocket socket, int opcode) throws Exception {
        RawSocket.Frame frame = socket.read();
        while (frame.opcode() == Opcode.PING) {
            frame = socket.read();
        }
        assertThat(frame.opcode()).isEqualTo(opcode);
        return frame;
    }

    /** As by a handler that pauses at its limit. The look at 30 s, for a reload, is between two pings. */
    @Test
    void pingsAClientWhoseInputWasKeptBackBeforeItIsGivenUp() throws Exception {
        var pausing = new Recorder() {
            @Override
            public void text(WebSocket socket, ByteBuf message) {
                socket.pause();
                super.text(socket, message);
            }
        };
        try (var patient = SocketServer.withClock(new SocketSettings().keepAlive(60_000, 90_000), pausing);
                RawSocket client = patient.open(http)) {
            WebSocket socket = pausing.socket();
            patient.pass(29_000);
            client.send(ClientFrame.of(ClientFrame.TEXT, "a"), ClientFrame.of(ClientFrame.TEXT, "b"));
            assertThat(pausing.next() + ", " + pausing.next()).isEqualTo("opened, text a");
            patient.pass(1_000);
            socket.eventLoop().execute(socket::resume);
            assertThat(pausing.next()).isEqualTo("text b");
            patient.pass(30_000);
            patient.pass(29_000);
            assertThat(client.read().opcode()).isEqualTo(Opcode.PING);
            assertThat(patient.closed()).isZero();
        }
    }
}
