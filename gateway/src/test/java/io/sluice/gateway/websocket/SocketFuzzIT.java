package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.tunnel.Http;
import io.sluice.handlers.websocket.WebSocketEchoHandler;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames with random changes, cut at random places: no error is the gateway's. */
@ParameterizedClass
@EnumSource
class SocketFuzzIT {
    @Parameter
    private Http http;

    private static final List<Integer> CODES = List.of(1000, 1001, 1002, 1005, 1007, 1009, 3000);
    private static SocketServer server;
    private static Complaints complaints;

    @BeforeAll
    static void start() {
        complaints = new Complaints();
        server = new SocketServer(new SocketSettings().limits(2000, 4000).compressFrom(10),
                new WebSocketEchoHandler());
    }

    @AfterAll
    static void stop() {
        complaints.close();
        server.close();
    }

    private static byte[] frames(Random random) {
        byte[] text = "a text of some words, of some words".repeat(1 + random.nextInt(10))
                .getBytes(StandardCharsets.UTF_8);
        byte[] deflated = ClientFrame.deflated(text);
        int cut = random.nextInt(deflated.length);
        return ClientFrame.join(ClientFrame.of(ClientFrame.TEXT, "κόσμε"),
                ClientFrame.of(ClientFrame.TEXT | ClientFrame.COMPRESSED, deflated),
                ClientFrame.of(Opcode.BINARY | ClientFrame.COMPRESSED, Arrays.copyOf(deflated, cut)),
                ClientFrame.of(ClientFrame.PING, "ping"), ClientFrame.of(Opcode.CONTINUATION),
                ClientFrame.of(ClientFrame.LAST, Arrays.copyOfRange(deflated, cut, deflated.length)),
                ClientFrame.of(Opcode.TEXT, "a"), ClientFrame.of(ClientFrame.PONG),
                ClientFrame.of(ClientFrame.LAST, text), ClientFrame.of(ClientFrame.TEXT),
                random.nextBoolean() ? ClientFrame.close(3000, "bye") : new byte[0]);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void isAnsweredByFramesOnly(int seed) throws Exception {
        var random = new Random(seed);
        for (int i = 0; i < 60; i++) {
            byte[] frames = mutated(frames(random), random);
            try (RawSocket socket = server.open(http, random.nextInt(4) == 0 ? "" : RawSocket.DEFLATE)) {
                int split = random.nextInt(frames.length);
                try {
                    socket.send(Arrays.copyOf(frames, split));
                    socket.send(Arrays.copyOfRange(frames, split, frames.length));
                    if (random.nextInt(5) == 0) {
                        socket.reset();
                        continue;
                    }
                    socket.socket().shutdownOutput();
                } catch (IOException e) {
                    continue; // the server has closed the connection
                }
                assertFrames(socket.readAll());
            }
        }
        server.awaitGone();
        assertThat(complaints.lines()).isEmpty();
    }

    /** Checks that the bytes are whole frames, and that no frame follows a close. */
    private static void assertFrames(byte[] bytes) throws IOException {
        try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            boolean closed = false;
            while (in.available() > 1) {
                assertThat(closed).isFalse();
                int first = in.readUnsignedByte();
                int length = in.readUnsignedByte();
                assertThat(length).isLessThan(127);
                length = length == 126 ? in.readUnsignedShort() : length;
                assertThat(first & 0xB0).isEqualTo(0x80);
                byte[] payload = in.readNBytes(length);
                closed = (first & 0x0F) == Opcode.CLOSE;
                if (closed) {
                    assertThat(new RawSocket.Frame(first, payload).closeCode()).isIn(CODES);
                }
            }
        }
    }

    private static byte[] mutated(byte[] frames, Random random) {
        byte[] bytes = frames;
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            int at = random.nextInt(bytes.length);
            int to = Math.min(bytes.length, at + 1 + random.nextInt(20));
            bytes = switch (random.nextInt(4)) {
                case 0 -> replaced(bytes, at, (byte) random.nextInt());
                case 1 -> replaced(bytes, at, (byte) (bytes[at] ^ 1 << random.nextInt(8)));
                case 2 -> ClientFrame.join(Arrays.copyOf(bytes, at),
                        Arrays.copyOfRange(bytes, Math.min(to, bytes.length - 1), bytes.length));
                default -> ClientFrame.join(Arrays.copyOf(bytes, to),
                        Arrays.copyOfRange(bytes, at, bytes.length));
            };
        }
        return bytes;
    }

    private static byte[] replaced(byte[] bytes, int at, byte by) {
        byte[] copy = bytes.clone();
        copy[at] = by;
        return copy;
    }
}
