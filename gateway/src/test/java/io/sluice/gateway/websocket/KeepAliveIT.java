package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.sluice.gateway.LoopBudget;
import io.sluice.gateway.tunnel.Http;
import io.sluice.gateway.websocket.SocketServer.Recorder;
import io.sluice.handlers.WebSocket;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Keep-alive: silent clients are pinged, and closed if they stay silent; so are those below the pace. */
@ParameterizedClass
@EnumSource
class KeepAliveIT {
    @Parameter
    private Http http;

    private static final long PING = 100;
    private static final long IDLE = 450;
    private static final SocketSettings SETTINGS = new SocketSettings().keepAlive(PING, IDLE);

    private static final long STALL = SocketSettings.TIMEOUTS.stall().toMillis();
    /** The time for 64 KiB at the minimum rate. */
    private static final long STEP = 4 * STALL;
    private static final long WINDOW = STALL + STEP;
    /** Without pings within a test. */
    private static final SocketSettings PATIENT = new SocketSettings().keepAlive(50 * STALL, 100 * STALL);

    @Test
    void pingsASilentClientAndGivesItUp() throws Exception {
        var handler = new Recorder();
        try (var server = SocketServer.withClock(SETTINGS, handler);
                RawSocket socket = server.open(http)) {
            server.pass(IDLE - 1);
            assertThat(server.closed()).isZero();
            for (int i = 0; i < 4; i++) {
                assertThat(socket.read().opcode()).isEqualTo(Opcode.PING);
            }

            server.pass(1);
            RawSocket.Frame frame = socket.read();
            assertThat(frame.closeCode()).isEqualTo(1001);
            assertThat(frame.closeReason()).contains("nothing was heard");
            assertThat(socket.isClosed()).isTrue();
            assertThat(handler.next()).isEqualTo("opened");
            assertThat(handler.next()).isEqualTo("closed");
            await().until(() -> server.closed() == 1);
        }
    }

    /** The pace, which is looked at more often, concerns messages that have begun. */
    @Test
    void pingsOnlyOnceInEachInterval() throws Exception {
        long ping = STALL * 3 / 2;
        try (var server = SocketServer.withClock(new SocketSettings().keepAlive(ping, 3 * ping + 1),
                new Recorder()); RawSocket socket = server.open(http)) {
            socket.send(ClientFrame.of(Opcode.BINARY, "begun"));
            server.pass(3 * ping + 1);
            for (int i = 0; i < 3; i++) {
                assertThat(socket.read().opcode()).isEqualTo(Opcode.PING);
            }
            assertThat(socket.read().closeCode()).isEqualTo(1001);
        }
    }

    /** The timeouts of HTTP end with the handshake. */
    @Test
    void hasTimeoutsOfItsOwn() throws Exception {
        try (var server = SocketServer.withClock(new SocketSettings().keepAlive(200_000, 400_000),
                new Recorder()); RawSocket socket = server.open(http)) {
            server.pass(100_000);
            socket.send(ClientFrame.of(ClientFrame.PING, "still there"));
            assertThat(socket.read().opcode()).isEqualTo(Opcode.PONG);
        }
    }

    @Test
    void keepsAClientThatAnswersWithPongs() throws Exception {
        try (var server = SocketServer.withClock(SETTINGS, new Recorder());
                RawSocket socket = server.open(http)) {
            for (int i = 0; i < 10; i++) {
                server.pass(PING);
                assertThat(socket.read().opcode()).isEqualTo(Opcode.PING);
                socket.send(ClientFrame.of(ClientFrame.PONG));
            }
            server.pass(IDLE - 1);
            assertThat(server.closed()).isZero();
        }
    }

    /** Any received byte counts, even of an incomplete frame. */
    @Test
    void keepsAClientThatSendsSomething() throws Exception {
        try (var server = SocketServer.withClock(SETTINGS.limits(100, 100), new Recorder());
                RawSocket socket = server.open(http)) {
            socket.send(ClientFrame.header(ClientFrame.BINARY, 90));
            for (int i = 0; i < 40; i++) {
                socket.send(new byte[1]);
                server.pass(20); // a slow sender
            }
            assertThat(server.closed()).isZero();
        }
    }

    /** Pongs do not stand in for the rest of a message. */
    @Test
    void givesUpAClientThatDoesNotGoOnWithItsMessage() throws Exception {
        try (var server = SocketServer.withClock(PATIENT, new Recorder());
                RawSocket socket = server.open(http, RawSocket.DEFLATE)) {
            byte[] inflatesToMany = ClientFrame.deflated(new byte[100_000]);
            socket.send(ClientFrame.of(ClientFrame.COMPRESSED | Opcode.BINARY, inflatesToMany));
            for (int i = 0; i < 9; i++) {
                socket.send(ClientFrame.of(ClientFrame.PONG, "x".repeat(100)),
                        ClientFrame.of(Opcode.CONTINUATION));
                server.pass(WINDOW / 10);
                assertThat(server.closed()).isZero();
            }
            server.pass(2 * STALL);
            RawSocket.Frame close = socket.read();
            assertThat(close.closeCode()).isEqualTo(1008);
            assertThat(close.closeReason()).isEqualTo("the message comes too slowly");
        }
    }

    @Test
    void givesUpAMessageThatBeginsInALaterTurn() throws Exception {
        var slow = new Recorder() {
            @Override
            public void text(WebSocket socket, ByteBuf message) {
                LoopBudget.compute(Duration.ofMillis(2));
                super.text(socket, message);
            }
        };
        try (var server = SocketServer.withClock(PATIENT, slow); RawSocket socket = server.open(http)) {
            socket.send(ClientFrame.of(ClientFrame.TEXT, "whole"), ClientFrame.of(Opcode.BINARY, "begun"));
            assertThat(slow.next() + ", " + slow.next()).isEqualTo("opened, text whole");
            for (int i = 0; i < 4 * WINDOW / STALL; i++) {
                server.pass(STALL);
            }
            assertThat(socket.read().closeCode()).isEqualTo(1008);
        }
    }

    /** As with TLS records or DATA frames, which count only when they are whole. */
    @Test
    void keepsAClientThatGoesOnWithItsMessageOrWithOthers() throws Exception {
        var handler = new Recorder();
        try (var server = SocketServer.withClock(PATIENT, handler);
                RawSocket socket = server.open(http); RawSocket other = server.open(http)) {
            socket.send(ClientFrame.of(Opcode.BINARY, "begun"));
            other.send(ClientFrame.of(Opcode.BINARY, "begun"));
            for (int i = 0; i < 5; i++) {
                server.pass(STEP);
                socket.send(ClientFrame.of(Opcode.CONTINUATION, new byte[64 * 1024]));
                other.send(ClientFrame.of(ClientFrame.LAST), ClientFrame.of(Opcode.BINARY, "another"));
            }
            assertThat(server.closed()).isZero();
        }
    }

    /** A client that is always behind can be pinged only between two messages. */
    @Test
    void keepsAClientThatReadsSlowlyAndAnswersWithPongs() throws Exception {
        var handler = new Recorder() {
            @Override
            public void opened(WebSocket socket) {
                writable(socket);
            }

            @Override
            public void writable(WebSocket socket) {
                while (socket.isWritable()) {
                    socket.sendBinary(socket.alloc().buffer(8192).writeZero(8192));
                }
            }
        };
        try (var server = SocketServer.withClock(new SocketSettings().keepAlive(PING, 800), handler);
                RawSocket socket = RawSocket.over(http.connect(server.port(), 16 * 1024)).upgrade("/")) {
            int pings = 0;
            for (int i = 0; i < 400; i++) {
                RawSocket.Frame frame = socket.read();
                assertThat(frame.opcode()).isNotEqualTo(Opcode.CLOSE);
                if (frame.opcode() == Opcode.PING) {
                    pings++;
                    socket.send(ClientFrame.of(ClientFrame.PONG));
                }
                server.pass(5); // a slow reader
            }
            assertThat(pings).isPositive();
            assertThat(server.closed()).isZero();
        }
    }

    /** The ping waits behind a message whose transmission takes longer than the idle timeout. */
    @Test
    void keepsAClientThatReadsALargeMessageSlowly() throws Exception {
        var handler = new Recorder() {
            @Override
            public void opened(WebSocket socket) {
                socket.sendBinary(socket.alloc().buffer().writeZero(16 << 20));
            }
        };
        try (var server = SocketServer.withClock(SETTINGS, handler);
                RawSocket socket = RawSocket.over(http.connect(server.port(), 16 * 1024)).upgrade("/")) {
            InputStream in = socket.socket().getInputStream();
            byte[] some = new byte[16 * 1024];
            for (int i = 0; i < 300; i++) {
                assertThat(in.read(some)).isPositive();
                server.pass(5); // a slow reader
            }
            assertThat(server.closed()).isZero();
        }
    }

    @Test
    void givesUpAClientThatReadsNothing() throws Exception {
        var handler = new Recorder() {
            @Override
            public void opened(WebSocket socket) {
                super.opened(socket);
                socket.sendBinary(socket.alloc().buffer().writeZero(8 << 20));
            }
        };
        try (var server = SocketServer.withClock(SETTINGS.closeTimeout(100), handler);
                RawSocket _ = RawSocket.over(http.connect(server.port(), 16 * 1024)).upgrade("/")) {
            assertThat(handler.next()).isEqualTo("opened");
            server.pass(2 * IDLE);
            assertThat(handler.next()).isEqualTo("closed");
            await().until(() -> server.http().connections().tunnels().open() == 0);
        }
    }

    /** Neither pongs nor a byte now and then stand in for the minimum pace. */
    @Test
    void givesUpAClientThatReadsTooSlowly() throws Exception {
        var handler = new Recorder() {
            @Override
            public void opened(WebSocket socket) {
                super.opened(socket);
                socket.sendBinary(socket.alloc().buffer().writeZero(8 << 20));
            }
        };
        try (var server = SocketServer.withClock(PATIENT, handler);
                RawSocket socket = RawSocket.over(http.connect(server.port(), 16 * 1024)).upgrade("/")) {
            assertThat(handler.next()).isEqualTo("opened");
            for (int i = 0; i < 3; i++) { // as a client whose window opens only now and then
                assertThat(socket.socket().getInputStream().readNBytes(1 << 20)).hasSize(1 << 20);
                server.pass(STEP);
            }
            assertThat(server.http().connections().tunnels().open()).isOne();
            for (int i = 0; i < 2; i++) {
                assertThat(socket.socket().getInputStream().read()).isNotNegative();
                socket.send(ClientFrame.of(ClientFrame.PONG));
                server.pass(STEP / 2);
            }
            server.pass(WINDOW);
            assertThat(handler.next()).isEqualTo("closed");
            await().until(() -> server.http().connections().tunnels().open() == 0);
        }
    }

    @Test
    void resetSocketsAreNotPinged() throws IOException {
        var handler = new Recorder();
        try (var server = SocketServer.withClock(new SocketSettings().keepAlive(10, 10_000), handler)) {
            for (int i = 0; i < 20; i++) {
                server.open(http).reset();
                server.pass(20);
            }
            await().until(() -> server.closed() == 20);
        }
    }
}
