package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sluice.gateway.tunnel.Http;
import io.sluice.gateway.websocket.SocketServer.Recorder;
import io.sluice.handlers.WebSocket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients that disconnect without a close frame: the listener is informed once, and no memory is kept. */
@ParameterizedClass
@EnumSource
class VanishedSocketIT {
    private static final byte[] FRAME = ClientFrame.of(ClientFrame.BINARY, "a".repeat(2000));
    private static final byte[] PAUSING =
            ClientFrame.join(ClientFrame.of(ClientFrame.TEXT, "pauses"), FRAME, FRAME);

    @Parameter
    private Http http;

    private final Recorder handler = new Recorder() {
        @Override
        public void text(WebSocket socket, ByteBuf message) {
            super.text(socket, message);
            socket.pause();
        }

        @Override
        public void binary(WebSocket socket, ByteBuf message) {
            super.binary(socket, message);
            socket.sendBinary(socket.alloc().buffer().writeZero(4 << 20));
            socket.sendBinary(message.retain());
        }
    };
    private final SocketServer server = new SocketServer(new SocketSettings(), handler);

    @AfterEach
    void stop() {
        server.close();
    }

    static List<byte[]> beginnings() {
        return List.of(new byte[0],
                new byte[] {(byte) ClientFrame.TEXT},
                ClientFrame.header(ClientFrame.TEXT, 1000),
                ClientFrame.join(ClientFrame.header(ClientFrame.PING, 100), new byte[50]),
                ClientFrame.join(ClientFrame.header(ClientFrame.TEXT, 1000),
                        ClientFrame.masked(new byte[500])),
                ClientFrame.join(ClientFrame.of(Opcode.TEXT, "a"), ClientFrame.of(Opcode.CONTINUATION, "b")),
                ClientFrame.join(ClientFrame.of(Opcode.TEXT | ClientFrame.COMPRESSED,
                        ClientFrame.hex("f248")),
                        ClientFrame.header(Opcode.CONTINUATION, 50)),
                PAUSING,
                ClientFrame.join(FRAME, FRAME, ClientFrame.of(ClientFrame.PING, "unanswered")));
    }

    @ParameterizedTest
    @MethodSource("beginnings")
    void resetClosesTheSocketOnce(byte[] beginning) throws Exception {
        RawSocket socket = server.open(http, RawSocket.DEFLATE);
        socket.send(beginning);
        server.http().settle(); // a reset discards unread bytes
        socket.reset();
        assertClosedOnce();
    }

    @ParameterizedTest
    @MethodSource("beginnings")
    void endOfInputWithoutACloseClosesTheSocketOnce(byte[] beginning) throws Exception {
        try (RawSocket socket = server.open(http, RawSocket.DEFLATE)) {
            socket.send(beginning).socket().shutdownOutput();
            // over HTTP/2 the end of the stream arrives only after the paused frames
            if (http == Http.HTTP_1_1 || beginning != PAUSING) {
                socket.readAll();
            }
        }
        assertClosedOnce();
    }

    @Test
    void endOfInputBehindTheHandshakeClosesTheSocketOnce() throws Exception {
        try (RawSocket socket = RawSocket.over(http.connect(server.port(), 0))) {
            socket.send(RawSocket.handshake("/"), ClientFrame.of(Opcode.TEXT, "a"));
            socket.socket().shutdownOutput();
            socket.readAll();
        }
        assertClosedOnce();
    }

    private void assertClosedOnce() throws InterruptedException {
        assertThat(handler.next()).isEqualTo("opened");
        String event = handler.next();
        while (event != null && !event.equals("closed")) {
            event = handler.next();
        }
        assertThat(event).isEqualTo("closed");
        server.awaitGone();
        assertThat(handler.rest()).isEmpty();
        assertThat(server.opened()).isOne();
        assertThat(server.closed()).isOne();
    }
}
