package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.util.ResourceLeakDetector;
import io.sluice.gateway.net.Transport;
import io.sluice.gateway.routing.ErrorMapper;
import io.sluice.gateway.tunnel.Http;
import io.sluice.handlers.websocket.CodeHandler;
import io.sluice.handlers.websocket.WebSocketEchoHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Back-pressure of WebSockets: memory that a client can make the gateway hold if it does not read. The leak
 * detector is simple here, since the paranoid one would record every access.
 */
@ParameterizedClass
@EnumSource
class SocketBackpressureIT {
    @Parameter
    private Http http;

    private static final int BUFFERS = 64 * 1024;
    /** Far less than the sent bytes. */
    private static final long FEW = 2 << 20;

    private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    private SocketServer server;
    private long before;

    @BeforeEach
    void start() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
        server = new SocketServer(new SocketSettings(), new WebSocketEchoHandler());
        before = Transport.ALLOCATOR.pinnedDirectMemory();
    }

    @AfterEach
    void stop() {
        server.close();
        ResourceLeakDetector.setLevel(level);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 10_000, 300_000})
    void letsAClientWaitThatDoesNotReadItsEchoAndLosesNothing(int size) throws Exception {
        int count = Math.min(40_000, (8 << 20) / size);
        try (RawSocket socket = RawSocket.over(http.connect(server.port(), BUFFERS)).upgrade("/")) {
            socket.socket().setSoTimeout(60_000); // TCP is slow to probe when both windows are full
            AtomicInteger sent = send(socket, count, i -> ClientFrame.of(ClientFrame.BINARY, bytes(size, i)));
            assertStalls(sent, count);

            for (int i = 0; i < count; i++) {
                assertThat(Arrays.equals(socket.read().payload(), bytes(size, i)))
                        .as("message " + i).isTrue();
            }
            await().until(() -> sent.get() == count);
        }
    }

    @Test
    void answersTheNewestPingOfAFlood() throws Exception {
        int count = 60_000;
        try (RawSocket socket = RawSocket.over(http.connect(server.port(), BUFFERS)).upgrade("/")) {
            AtomicInteger sent = send(socket, count,
                    i -> ClientFrame.of(ClientFrame.PING, "%0100d".formatted(i)));
            await().until(() -> sent.get() == count);
            assertThat(Transport.ALLOCATOR.pinnedDirectMemory() - before).isLessThan(FEW);

            int last = -1;
            int pongs = 0;
            while (last < count - 1) {
                RawSocket.Frame frame = socket.read();
                assertThat(frame.opcode()).isEqualTo(Opcode.PONG);
                assertThat(Integer.parseInt(frame.text())).isGreaterThan(last);
                last = Integer.parseInt(frame.text());
                pongs++;
            }
            assertThat(pongs).isLessThan(count / 2);
        }
    }

    @Test
    void letsAClientWaitThatDoesNotReadWhatIsWrongWithItsPrograms() throws Exception {
        int count = 400;
        byte[][] wrong = new byte[1000][];
        Arrays.fill(wrong, ClientFrame.of(ClientFrame.TEXT, "no JSON"));
        byte[] together = ClientFrame.join(wrong);
        try (var code = new SocketServer(new SocketSettings(), new CodeHandler(
                () -> new CodeHandler.Setup(null, Duration.ofSeconds(1)),
                (cause, socket) -> ErrorMapper.answer(cause, socket.id(), socket.alloc()).content()));
                RawSocket socket = RawSocket.over(http.connect(code.port(), BUFFERS)).upgrade("/")) {
            AtomicInteger sent = send(socket, count, _ -> together);
            assertStalls(sent, count);
        }
    }

    private interface Frames {
        byte[] frame(int number);
    }

    private static AtomicInteger send(RawSocket socket, int count, Frames frames) {
        var sent = new AtomicInteger();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                for (int i = 0; i < count; i++) {
                    socket.send(frames.frame(i));
                    sent.set(i + 1);
                }
            } catch (IOException e) {
                sent.set(Integer.MIN_VALUE);
            }
        });
        return sent;
    }

    private void assertStalls(AtomicInteger sent, int all) {
        var last = new AtomicInteger(-1);
        await().during(Duration.ofMillis(300)).until(() -> {
            int now = sent.get();
            return now > 0 && last.getAndSet(now) == now;
        });
        assertThat(sent.get()).isPositive().isLessThan(all);
        assertThat(Transport.ALLOCATOR.pinnedDirectMemory() - before).isLessThan(FEW);
    }

    private static byte[] bytes(int size, int seed) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
