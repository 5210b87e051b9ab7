package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.sluice.gateway.tunnel.Http;
import io.sluice.gateway.websocket.SocketServer.Recorder;
import io.sluice.handlers.WebSocket;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fairness of the event loop: short messages that inflate to long ones do not delay its other connections.
 */
@ParameterizedClass
@EnumSource
class InflatedTurnsIT {
    @Parameter
    private Http http;

    private static final int COUNT = 10;
    /** A message of this size takes an event loop twenty times as long as one task may. */
    private static final int SIZE = 16 << 20;

    @Test
    void inflatingYieldsToOtherTasks() throws Exception {
        var messages = new AtomicInteger();
        var fewestTurns = new AtomicInteger(Integer.MAX_VALUE);
        var handler = new Recorder() {
            /** The number of other tasks since the last message. */
            private int turns;
            private boolean over;

            @Override
            public void opened(WebSocket socket) {
                super.opened(socket);
                count(socket);
            }

            private void count(WebSocket socket) {
                turns++;
                if (!over) {
                    socket.eventLoop().schedule(() -> count(socket), 0, TimeUnit.NANOSECONDS);
                }
            }

            @Override
            public void text(WebSocket socket, ByteBuf message) {
                assertThat(message.readableBytes()).isEqualTo(SIZE);
                fewestTurns.accumulateAndGet(turns, Math::min);
                turns = 0;
                messages.incrementAndGet();
            }

            @Override
            public void closed(WebSocket socket) {
                over = true;
                super.closed(socket);
            }
        };
        byte[][] frames = new byte[COUNT][];
        Arrays.fill(frames, ClientFrame.of(ClientFrame.TEXT | ClientFrame.COMPRESSED,
                ClientFrame.deflated(new byte[SIZE])));
        try (var server = new SocketServer(new SocketSettings().limits(1 << 20, SIZE), handler);
                RawSocket socket = server.open(http, RawSocket.DEFLATE)) {
            socket.send(ClientFrame.join(frames));
            await().until(() -> messages.get() == COUNT);
            assertThat(fewestTurns.get()).isGreaterThan(3);

            socket.send(ClientFrame.join(frames), ClientFrame.close(1000, ""));
            assertThat(socket.read().closeCode()).isEqualTo(1000);
            assertThat(messages.get()).isEqualTo(2 * COUNT);
        }
    }
}
