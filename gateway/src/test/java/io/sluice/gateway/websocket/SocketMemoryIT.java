package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.gateway.limits.ShortMemory;
import io.sluice.gateway.tunnel.Http;
import io.sluice.gateway.websocket.SocketServer.Recorder;
import io.sluice.handlers.WebSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A WebSocket during a shortage of direct memory. */
@Isolated
@ParameterizedClass
@EnumSource
class SocketMemoryIT {
    private static final long PING = 100;
    private static final int LONG = 8 << 20;
    private static final int SMALL_BUFFER = 64 * 1024;

    @Parameter
    private Http http;

    @Test
    void isKeptWhereItsClientAnswersPings() throws Exception {
        try (var server = SocketServer.withClock(new SocketSettings().keepAlive(PING, 450), new Recorder());
                RawSocket socket = server.open(http); var _ = new ShortMemory()) {
            for (int i = 0; i < 10; i++) {
                server.pass(PING);
                assertThat(socket.read().opcode()).isEqualTo(Opcode.PING);
                socket.send(ClientFrame.of(ClientFrame.PONG));
            }
            assertThat(server.closed()).isZero();
        }
    }

    /** Its pongs wait behind a message for which the handler waits, as it cannot send. */
    @Test
    void isKeptWhereItsInputIsHeldBack() throws Exception {
        var handler = new Recorder() {
            @Override
            public void text(WebSocket socket, ByteBuf message) {
                super.text(socket, message);
                socket.pause();
            }
        };
        try (var server = SocketServer.withClock(new SocketSettings().keepAlive(PING, 450), handler);
                RawSocket socket = server.open(http); var _ = new ShortMemory()) {
            socket.send(ClientFrame.of(ClientFrame.TEXT, "one"), ClientFrame.of(ClientFrame.TEXT, "two"));
            for (int i = 0; i < 10; i++) {
                server.pass(PING);
                assertThat(socket.read().opcode()).isEqualTo(Opcode.PING);
                socket.send(ClientFrame.of(ClientFrame.PONG));
            }
            assertThat(server.closed()).isZero();
            assertThat(handler.rest()).containsExactly("opened", "text one");
        }
    }

    @Test
    void isClosedWhereItHoldsAPartOfAMessage() throws Exception {
        byte[] part = ClientFrame.deflated(new byte[1000]);
        try (var server = new SocketServer(new SocketSettings(), new Recorder());
                RawSocket idle = server.open(http); RawSocket plain = server.open(http);
                RawSocket compressed = server.open(http, RawSocket.DEFLATE)) {
            plain.send(ClientFrame.of(Opcode.TEXT, "begun"));
            compressed.send(ClientFrame.of(ClientFrame.COMPRESSED | Opcode.BINARY, part));
            server.http().settle();
            try (var _ = new ShortMemory()) {
                server.http().connections().memoryShort(false);
                assertThat(plain.read().closeCode()).isEqualTo(1013);
                assertThat(compressed.read().closeCode()).isEqualTo(1013);
            }
            idle.send(ClientFrame.of(ClientFrame.PING, "a"));
            assertThat(idle.read().opcode()).isEqualTo(Opcode.PONG);
            await().until(() -> server.closed() == 2);
        }
    }

    @Test
    void isResetWhereItsClientDoesNotReadALongMessage() throws Exception {
        var handler = new Recorder() {
            @Override
            public void text(WebSocket socket, ByteBuf message) {
                super.text(socket, message);
                socket.sendBinary(Unpooled.buffer(LONG).writeZero(LONG));
            }
        };
        try (var server = new SocketServer(new SocketSettings(), handler);
                RawSocket socket = RawSocket.over(http.connect(server.port(), SMALL_BUFFER))) {
            socket.send(RawSocket.handshake("/", "")).readAnswer();
            socket.send(ClientFrame.of(ClientFrame.TEXT, "send"));
            await().until(() -> handler.rest().contains("text send"));
            try (var _ = new ShortMemory()) {
                await().until(() -> { // when the message has been written in several turns
                    server.http().connections().memoryShort(false);
                    return server.closed() == 1;
                });
            }
        }
    }
}
