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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The closing handshake, begun by either side (RFC 6455 sections 5.5.1 and 7). */
@ParameterizedClass
@EnumSource
class CloseIT {
    @Parameter
    private Http http;

    private static final long TIMEOUT = 300;

    private final Recorder handler = new Recorder() {
        @Override
        public void text(WebSocket socket, ByteBuf message) {
            super.text(socket, message);
            socket.sendText(message.retain());
        }
    };
    private SocketServer server;

    @BeforeEach
    void start() {
        server = SocketServer.withClock(new SocketSettings().closeTimeout(TIMEOUT), handler);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014,
        3000, 3999, 4000, 4999})
    void answersACodeWithTheSameAndClosesTheConnection(int code) throws Exception {
        try (RawSocket socket = server.open(http)) {
            socket.send(ClientFrame.close(code, "bye"));

            assertThat(socket.read().closeCode()).isEqualTo(code);
            assertThat(socket.isClosed()).isTrue();
        }
        assertClosedOnce();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535})
    void refusesACodeThatMustNotBeSent(int code) throws Exception {
        try (RawSocket socket = server.open(http)) {
            socket.send(ClientFrame.close(code, ""));

            assertThat(socket.read().closeCode()).isEqualTo(1002);
            assertThat(socket.isClosed()).isTrue();
        }
        assertClosedOnce();
    }

    @ParameterizedTest
    @CsvSource({"'', 1005", "03, 1002", "03e8, 1000", "03e8ff, 1007", "03e8c3, 1007", "03e8c3a9, 1000"})
    void closeBodyIsValidated(String body, int code) throws Exception {
        try (RawSocket socket = server.open(http)) {
            socket.send(ClientFrame.of(ClientFrame.CLOSE, ClientFrame.hex(body)));

            assertThat(socket.read().closeCode()).isEqualTo(code);
            assertThat(socket.isClosed()).isTrue();
        }
    }

    @Test
    void pendingMessagesPrecedeTheCloseAndLaterFramesAreIgnored() throws Exception {
        try (RawSocket socket = server.open(http)) {
            socket.send(ClientFrame.of(ClientFrame.TEXT, "before"), ClientFrame.close(1000, ""),
                    ClientFrame.of(ClientFrame.TEXT, "behind"), ClientFrame.of(ClientFrame.PING),
                    ClientFrame.close(1001, ""), new byte[] {-1, -1, -1});

            assertThat(socket.read().text()).isEqualTo("before");
            assertThat(socket.read().closeCode()).isEqualTo(1000);
            assertThat(socket.readAll()).isEmpty();
        }
        assertThat(handler.next()).isEqualTo("opened");
        assertThat(handler.next()).isEqualTo("text before");
        assertThat(handler.next()).isEqualTo("closed");
        assertThat(handler.rest()).isEmpty();
    }

    @Test
    void dropsAMessageThatAClosingClientHasNotFinished() throws Exception {
        try (RawSocket socket = server.open(http, RawSocket.DEFLATE)) {
            socket.send(ClientFrame.of(Opcode.TEXT | ClientFrame.COMPRESSED, ClientFrame.hex("f248cd")),
                    ClientFrame.of(Opcode.CONTINUATION, ClientFrame.hex("c9")), ClientFrame.close(1000, ""));

            assertThat(socket.read().closeCode()).isEqualTo(1000);
            assertThat(socket.isClosed()).isTrue();
        }
        assertClosedOnce();
    }

    @Test
    void waitsForTheAnswerToItsOwnCloseAndDropsWhatComesBefore() throws Exception {
        try (RawSocket socket = server.open(http)) {
            closeByServer(4001, "enough");
            RawSocket.Frame close = socket.read();
            assertThat(close.closeCode()).isEqualTo(4001);
            assertThat(close.closeReason()).isEqualTo("enough");

            socket.send(ClientFrame.of(ClientFrame.TEXT, "late"), ClientFrame.of(ClientFrame.PING),
                    ClientFrame.close(4001, ""));
            assertThat(socket.isClosed()).isTrue();
        }
        assertClosedOnce();
    }

    @Test
    void waitsNoLongerThanTheCloseTimeout() throws Exception {
        try (RawSocket socket = server.open(http)) {
            closeByServer(1000, "");
            assertThat(socket.read().closeCode()).isEqualTo(1000);

            server.pass(TIMEOUT - 1);
            assertThat(server.http().connections().count()).isOne();
            server.pass(1);
            assertThat(socket.readAll()).isEmpty();
        }
        assertClosedOnce();
    }

    @Test
    void doesNotWaitLongerForAClientThatGoesOnSending() throws Exception {
        try (RawSocket socket = server.open(http)) {
            closeByServer(1000, "");
            assertThat(socket.read().closeCode()).isEqualTo(1000);

            for (long passed = 0; passed < TIMEOUT; passed += 20) {
                socket.send(ClientFrame.of(ClientFrame.TEXT, "on and on"));
                server.pass(20);
            }
        }
        assertClosedOnce();
    }

    @Test
    void endsAWrongAnswerToItsClose() throws Exception {
        try (RawSocket socket = server.open(http)) {
            closeByServer(1000, "");
            assertThat(socket.read().closeCode()).isEqualTo(1000);
            socket.send(ClientFrame.unmasked(ClientFrame.CLOSE, ""));

            assertThat(socket.isClosed()).isTrue();
        }
        assertClosedOnce();
    }

    private void closeByServer(int code, String reason) throws InterruptedException {
        WebSocket socket = handler.socket();
        socket.eventLoop().execute(() -> {
            socket.close(new WebSocketCloseStatus(code, reason));
            socket.close(WebSocketCloseStatus.NORMAL_CLOSURE);
            socket.sendText(socket.alloc().buffer().writeZero(5));
            socket.sendBinary(socket.alloc().buffer().writeZero(2000));
        });
    }

    private void assertClosedOnce() throws InterruptedException {
        assertThat(handler.next()).isEqualTo("opened");
        assertThat(handler.next()).isEqualTo("closed");
        server.awaitGone();
        assertThat(server.closed()).isOne();
        assertThat(handler.rest()).isEmpty();
    }
}
