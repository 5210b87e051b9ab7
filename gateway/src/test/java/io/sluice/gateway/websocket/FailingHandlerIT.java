package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sluice.gateway.tunnel.Http;
import io.sluice.gateway.websocket.SocketServer.Recorder;
import io.sluice.handlers.WebSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** An exception of a handler closes its socket with 1011, and is logged once. */
@ParameterizedClass
@EnumSource
class FailingHandlerIT {
    @Parameter
    private Http http;

    private String where = "";
    private final Recorder handler = new Recorder() {
        @Override
        public void opened(WebSocket socket) {
            super.opened(socket);
            failIn("opened");
        }

        @Override
        public void text(WebSocket socket, ByteBuf message) {
            super.text(socket, message);
            failIn("text");
        }

        @Override
        public void binary(WebSocket socket, ByteBuf message) {
            socket.sendBinary(message.retain());
            socket.sendBinary(socket.alloc().buffer().writeZero(2 << 20));
        }

        @Override
        public void writable(WebSocket socket) {
            failIn("writable");
        }

        @Override
        public void closed(WebSocket socket) {
            super.closed(socket);
            failIn("closed");
        }
    };
    private final SocketServer server = new SocketServer(new SocketSettings().closeTimeout(500), handler);

    private void failIn(String step) {
        if (step.equals(where)) {
            throw new IllegalStateException("a test's, in " + step);
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"opened, ''", "text, 8180 00000000", "text, 0180 00000000 8080 00000000 8180 00000000 8180",
        "text, c187 00000000 f248cdc9c90700 8180"})
    void closesTheSocket(String step, String hex) throws Exception {
        where = step;
        try (var complaints = new Complaints(); RawSocket socket = server.open(http, RawSocket.DEFLATE)) {
            socket.send(ClientFrame.hex(hex));
            RawSocket.Frame close = socket.read();
            assertThat(close.closeCode()).isEqualTo(1011);
            assertThat(close.text()).doesNotContain("a test's");
            assertThat(socket.isClosed()).isTrue();
            assertThat(complaints.lines()).singleElement().asString()
                    .startsWith("ERROR socket ")
                    .contains("a test's, in " + step);
        }
        assertClosedOnce();
    }

    @Test
    void closesTheSocketBehindWhatWasOnItsWay() throws Exception {
        where = "writable";
        try (RawSocket socket = server.open(http)) {
            socket.send(ClientFrame.of(ClientFrame.BINARY, "abc"));
            assertThat(socket.read().text()).isEqualTo("abc");
            assertThat(socket.read().payload()).hasSize(2 << 20);
            assertThat(socket.read().closeCode()).isEqualTo(1011);
            assertThat(socket.isClosed()).isTrue();
        }
        assertClosedOnce();
    }

    @Test
    void cannotKeepASocketOpen() throws Exception {
        where = "closed";
        try (var complaints = new Complaints(); RawSocket socket = server.open(http)) {
            socket.send(ClientFrame.close(1000, ""));
            assertThat(socket.read().closeCode()).isEqualTo(1000);
            assertThat(socket.isClosed()).isTrue();
            assertThat(complaints.lines()).hasSize(1);
        }
        assertClosedOnce();
    }

    private void assertClosedOnce() throws InterruptedException {
        server.awaitGone();
        assertThat(handler.next()).isEqualTo("opened");
        assertThat(handler.rest()).containsOnlyOnce("closed");
        assertThat(server.closed()).isOne();
    }
}
