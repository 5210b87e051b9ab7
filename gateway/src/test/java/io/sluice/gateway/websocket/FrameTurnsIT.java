package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.tunnel.Http;
import io.sluice.gateway.websocket.RawSocket.Frame;
import io.sluice.gateway.websocket.SocketServer.Recorder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Fairness of the event loop: floods of empty frames of any kind do not delay its other connections. */
@ParameterizedClass
@EnumSource
class FrameTurnsIT {
    @Parameter
    private Http http;

    /** The limit of CPU time, twice the bound of a task, as these processors are shared. */
    private static final Duration BUDGET = Duration.ofMillis(10);
    /** In one task of the loop they take several times its budget. */
    private static final int FRAMES = 20_000;

    @ParameterizedTest
    @CsvSource({"PING, false, false", "PING, true, false", "PING, true, true", "PONG, true, false",
            "PONG, true, true", "CONTINUATION, true, false"})
    void loopTasksAreShortDuringAFrameFlood(Kind kind, boolean reads, boolean paused) throws Exception {
        var handler = new Recorder();
        byte[][] frames = new byte[FRAMES][];
        Arrays.fill(frames, ClientFrame.of(kind.first));
        byte[] flood = ClientFrame.join(frames);
        try (var server = new SocketServer(new SocketSettings(), handler);
                RawSocket socket = server.open(http)) {
            var served = handler.socket();
            if (paused) {
                served.eventLoop().submit(served::pause).sync();
            }
            if (kind == Kind.CONTINUATION) {
                socket.send(ClientFrame.of(Opcode.TEXT));
            }
            server.http().loopBudget().requireBelow(BUDGET, () -> {
                if (reads) {
                    sendAndAwait(socket, flood);
                } else {
                    socket.send(flood);
                }
            });
        }
    }

    /** Sends the flood and a ping, and reads until that ping is answered. */
    private static void sendAndAwait(RawSocket socket, byte[] flood) throws Exception {
        String newest = "newest";
        Thread sender = Thread.ofVirtual().start(() -> {
            try {
                socket.send(flood, ClientFrame.of(ClientFrame.PING, newest));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        Frame frame;
        do {
            frame = socket.read();
            assertThat(frame.opcode()).isEqualTo(Opcode.PONG);
        } while (!frame.text().equals(newest));
        sender.join();
    }

    private enum Kind {
        PING(ClientFrame.PING), PONG(ClientFrame.PONG), CONTINUATION(Opcode.CONTINUATION);

        private final int first;

        Kind(int first) {
            this.first = first;
        }
    }
}
