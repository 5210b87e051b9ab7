package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.websocket.SocketServer.Recorder;
import io.sluice.handlers.WebSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Floods of control frames, which a socket takes also while its messages have to wait. */
class ControlFramesIT {
    private static final int FRAMES = 50_000;

    @ParameterizedTest
    @CsvSource({"9, false", "10, false", "9, true", "10, true"})
    void takeNoMoreThanATurnOfTheEventLoop(int opcode, boolean paused) throws Exception {
        byte[][] frames = new byte[FRAMES][];
        Arrays.fill(frames, ClientFrame.of(0x80 | opcode, new byte[0]));
        byte[] flood = ClientFrame.join(frames);
        try (var server = new SocketServer(new SocketSettings(), new Recorder() {
            @Override
            public void opened(WebSocket socket) {
                super.opened(socket);
                if (paused) {
                    socket.pause();
                }
            }
        })) {
            flood(server, flood);
            server.http().loopBudget().reset();
            flood(server, flood);
            server.http().loopBudget().requireBelow(Duration.ofMillis(10));
        }
    }

    /** Ends with a close, which is answered behind all frames. */
    private static void flood(SocketServer server, byte[] frames) throws Exception {
        try (RawSocket socket = server.open()) {
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    socket.send(frames, ClientFrame.close(1000, ""));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            RawSocket.Frame frame = socket.read();
            while (frame.opcode() == Opcode.PONG) {
                frame = socket.read();
            }
            assertThat(frame.closeCode()).isEqualTo(1000);
            sender.join();
        }
    }
}
