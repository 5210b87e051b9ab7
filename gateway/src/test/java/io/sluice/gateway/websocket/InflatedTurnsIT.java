package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.sluice.gateway.websocket.SocketServer.Recorder;
import io.sluice.handlers.WebSocket;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A few bytes that inflate to many do not keep the event loop from its other connections. */
class InflatedTurnsIT {
    private static final int COUNT = 100;
    private static final int SIZE = 600_000;

    @Test
    void othersHaveTheirTurnBetweenMessagesThatCameTogether() throws Exception {
        var messages = new AtomicInteger();
        var mostInATurn = new AtomicInteger();
        var handler = new Recorder() {
            private int inTurn;

            @Override
            public void text(WebSocket socket, ByteBuf message) {
                assertThat(message.readableBytes()).isEqualTo(SIZE);
                if (++inTurn == 1) {
                    socket.eventLoop().schedule(() -> inTurn = 0, 0, TimeUnit.NANOSECONDS);
                }
                mostInATurn.accumulateAndGet(inTurn, Math::max);
                messages.incrementAndGet();
            }
        };
        byte[][] frames = new byte[COUNT][];
        Arrays.fill(frames, ClientFrame.of(ClientFrame.TEXT | ClientFrame.COMPRESSED,
                ClientFrame.deflated(new byte[SIZE])));
        try (var server = new SocketServer(new SocketSettings(), handler);
                RawSocket socket = server.open(RawSocket.DEFLATE)) {
            socket.send(ClientFrame.join(frames));
            await().until(() -> messages.get() == COUNT);
            assertThat(mostInATurn.get()).isLessThan(3);

            socket.send(ClientFrame.join(frames), ClientFrame.close(1000, ""));
            assertThat(socket.read().closeCode()).isEqualTo(1000);
            assertThat(messages.get()).isEqualTo(2 * COUNT);
        }
    }
}
