package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.websocket.SocketServer.Recorder;
import io.sluice.handlers.WebSocket;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Silent clients are pinged, and given up when they stay silent. */
class KeepAliveIT {
    private static final long PING = 100;
    private static final long IDLE = 450;
    private static final SocketSettings SETTINGS = new SocketSettings().keepAlive(PING, IDLE);

    @Test
    void pingsASilentClientAndGivesItUp() throws Exception {
        var handler = new Recorder();
        try (var server = new SocketServer(SETTINGS, handler); RawSocket socket = server.open()) {
            long from = System.nanoTime();
            int pings = 0;
            RawSocket.Frame frame = socket.read();
            for (; frame.opcode() == Opcode.PING; frame = socket.read()) {
                pings++;
            }

            assertThat(pings).isBetween(1, 4);
            assertThat(frame.closeCode()).isEqualTo(1001);
            assertThat(frame.closeReason()).contains("nothing was heard");
            assertThat(Duration.ofNanos(System.nanoTime() - from))
                    .isGreaterThan(Duration.ofMillis(IDLE - 50));
            assertThat(socket.isClosed()).isTrue();
            assertThat(handler.next()).isEqualTo("opened");
            assertThat(handler.next()).isEqualTo("closed");
            await().until(() -> server.closed() == 1);
        }
    }

    @Test
    void keepsAClientThatAnswersWithPongs() throws Exception {
        try (var server = new SocketServer(SETTINGS, new Recorder()); RawSocket socket = server.open()) {
            for (int i = 0; i < 10; i++) {
                assertThat(socket.read().opcode()).isEqualTo(Opcode.PING);
                socket.send(ClientFrame.of(ClientFrame.PONG));
            }
            assertThat(server.closed()).isZero();
        }
    }

    /** Any byte will do, be it of a frame that has not ended. */
    @Test
    void keepsAClientThatSendsSomething() throws Exception {
        try (var server = new SocketServer(SETTINGS.limits(100, 100), new Recorder());
                RawSocket socket = server.open()) {
            socket.send(ClientFrame.header(ClientFrame.BINARY, 90));
            for (int i = 0; i < 40; i++) {
                socket.send(new byte[1]);
                Thread.sleep(20); // a slow sender
            }
            assertThat(server.closed()).isZero();
        }
    }

    /** Who always gets more than it reads can be pinged only in between. */
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
        try (var server = new SocketServer(new SocketSettings().keepAlive(PING, 800), handler);
                RawSocket socket = RawSocket.connect(server.port(), 16 * 1024).upgrade("/")) {
            int pings = 0;
            for (long end = System.nanoTime() + 2_000_000_000; System.nanoTime() < end;) {
                RawSocket.Frame frame = socket.read();
                assertThat(frame.opcode()).isNotEqualTo(Opcode.CLOSE);
                if (frame.opcode() == Opcode.PING) {
                    pings++;
                    socket.send(ClientFrame.of(ClientFrame.PONG));
                }
                Thread.sleep(1); // a slow reader
            }
            assertThat(pings).isPositive();
            assertThat(server.closed()).isZero();
        }
    }

    /** The ping stands behind the message, which takes longer than the client may be silent. */
    @Test
    void keepsAClientThatReadsALargeMessageSlowly() throws Exception {
        var handler = new Recorder() {
            @Override
            public void opened(WebSocket socket) {
                socket.sendBinary(socket.alloc().buffer().writeZero(16 << 20));
            }
        };
        try (var server = new SocketServer(SETTINGS, handler);
                RawSocket socket = RawSocket.connect(server.port(), 16 * 1024).upgrade("/")) {
            InputStream in = socket.socket().getInputStream();
            byte[] some = new byte[16 * 1024];
            for (long end = System.nanoTime() + 1_500_000_000; System.nanoTime() < end;) {
                assertThat(in.read(some)).isPositive();
                Thread.sleep(5); // a slow reader
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
        try (var server = new SocketServer(SETTINGS.closeTimeout(100), handler);
                RawSocket _ = RawSocket.connect(server.port(), 16 * 1024).upgrade("/")) {
            assertThat(handler.next()).isEqualTo("opened");
            assertThat(handler.next()).isEqualTo("closed");
            await().until(() -> server.http().connections().count() == 0);
        }
    }

    @Test
    void pingsNobodyWhoHasGone() throws IOException {
        var handler = new Recorder();
        try (var server = new SocketServer(new SocketSettings().keepAlive(10, 10_000), handler)) {
            for (int i = 0; i < 20; i++) {
                server.open().reset();
            }
            await().until(() -> server.closed() == 20);
        }
    }
}
