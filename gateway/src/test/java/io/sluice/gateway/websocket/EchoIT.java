package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.ResourceLeakDetector;
import io.sluice.gateway.tunnel.Http;
import io.sluice.handlers.websocket.WebSocketEchoHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of all sizes, in one frame or in fragments, and in pieces: the echo equals the message. */
@ParameterizedClass
@EnumSource
class EchoIT {
    @Parameter
    private Http http;

    private static final int MIB = 1 << 20;
    private static SocketServer server;

    @BeforeAll
    static void start() {
        server = new SocketServer(new SocketSettings().limits(16 * MIB, 16 * MIB),
                new WebSocketEchoHandler());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 125, 126, 127, 1023, 1024, 1025, 65_535, 65_536})
    void sendsBackEverySize(int size) throws Exception {
        byte[] binary = random(size);
        byte[] text = text(size);
        for (String extension : new String[] {"", RawSocket.DEFLATE}) {
            try (RawSocket socket = server.open(http, extension)) {
                socket.send(ClientFrame.of(ClientFrame.BINARY, binary));
                assertEcho(socket.read(), Opcode.BINARY, binary);
                socket.send(ClientFrame.of(ClientFrame.TEXT, text));
                assertEcho(socket.read(), Opcode.TEXT, text);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 125, 126, 127, 1023, 1024, 1025, 65_535, 65_536, 200_000})
    void inflatesEverySize(int size) throws Exception {
        byte[] text = text(size);
        try (RawSocket socket = server.open(http, RawSocket.DEFLATE)) {
            socket.send(ClientFrame.of(ClientFrame.TEXT | ClientFrame.COMPRESSED,
                    ClientFrame.deflated(text)));
            RawSocket.Frame echo = socket.read();

            assertThat(echo.isCompressed()).isEqualTo(size >= 1024 && size <= 65_536);
            assertEcho(echo, Opcode.TEXT, text);
        }
    }

    /** Uses the simple leak detector. The paranoid one would record millions of accesses. */
    @ParameterizedTest
    @ValueSource(ints = {MIB, MIB + 1, 16 * MIB})
    void sendsBackTheLargest(int size) throws Exception {
        ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
        byte[] text = text(size);
        try (RawSocket socket = server.open(http, RawSocket.DEFLATE)) {
            socket.send(ClientFrame.of(ClientFrame.TEXT, text));
            RawSocket.Frame echo = socket.read();

            assertThat(echo.isCompressed()).isFalse();
            assertEcho(echo, Opcode.TEXT, text);
        } finally {
            ResourceLeakDetector.setLevel(level);
        }
    }

    @ParameterizedTest
    @CsvSource({"0,1", "1,1", "10,1", "1000,7", "1000,125", "1000,126", "30000,999", "100000,70000"})
    void putsFragmentsTogetherWithPingsBetween(int size, int fragment) throws Exception {
        byte[] text = text(size);
        byte[] compressed = ClientFrame.deflated(text);
        try (RawSocket socket = server.open(http, RawSocket.DEFLATE)) {
            sendFragments(socket, Opcode.TEXT, text, fragment);
            assertEcho(socket.read(), Opcode.TEXT, text);
            sendFragments(socket, Opcode.TEXT | ClientFrame.COMPRESSED, compressed, fragment);
            assertEcho(socket.read(), Opcode.TEXT, text);
            sendFragments(socket, Opcode.BINARY, text, fragment);
            assertEcho(socket.read(), Opcode.BINARY, text);
        }
    }

    /** Sends fragments, with a ping behind each but the last. The pong comes at once. */
    private static void sendFragments(RawSocket socket, int first, byte[] payload, int size)
            throws Exception {
        int count = 0;
        int at = 0;
        for (; at + size < payload.length; at += size, count++) {
            socket.send(ClientFrame.of(at == 0 ? first : Opcode.CONTINUATION,
                    Arrays.copyOfRange(payload, at, at + size)));
            socket.send(ClientFrame.of(ClientFrame.PING, "p" + count));
            RawSocket.Frame pong = socket.read();
            assertThat(pong.opcode()).isEqualTo(Opcode.PONG);
            assertThat(pong.text()).isEqualTo("p" + count);
        }
        socket.send(ClientFrame.of(ClientFrame.FIN | (at == 0 ? first : Opcode.CONTINUATION),
                Arrays.copyOfRange(payload, at, payload.length)));
    }

    @Test
    void acceptsFragmentsWithoutPayload() throws Exception {
        try (RawSocket socket = server.open(http)) {
            socket.send(ClientFrame.of(Opcode.TEXT), ClientFrame.of(Opcode.CONTINUATION),
                    ClientFrame.of(Opcode.CONTINUATION, "a"), ClientFrame.of(Opcode.CONTINUATION),
                    ClientFrame.of(ClientFrame.LAST), ClientFrame.of(Opcode.BINARY),
                    ClientFrame.of(ClientFrame.LAST));

            assertEcho(socket.read(), Opcode.TEXT, "a".getBytes(StandardCharsets.UTF_8));
            assertEcho(socket.read(), Opcode.BINARY, new byte[0]);
        }
    }

    @Test
    void takesFramesByteByByte() throws Exception {
        byte[] frames = ClientFrame.join(ClientFrame.of(ClientFrame.TEXT, "κόσμε"),
                ClientFrame.of(Opcode.BINARY, text(130)), ClientFrame.of(ClientFrame.PING, "ping"),
                ClientFrame.of(ClientFrame.LAST, text(3)),
                ClientFrame.of(ClientFrame.TEXT | ClientFrame.COMPRESSED, ClientFrame.deflated(text(500))));
        try (RawSocket socket = server.open(http, RawSocket.DEFLATE)) {
            for (byte one : frames) {
                socket.send(new byte[] {one});
            }
            assertEcho(socket.read(), Opcode.TEXT, "κόσμε".getBytes(StandardCharsets.UTF_8));
            assertEcho(socket.read(), Opcode.PONG, "ping".getBytes(StandardCharsets.UTF_8));
            assertEcho(socket.read(), Opcode.BINARY, ClientFrame.join(text(130), text(3)));
            assertEcho(socket.read(), Opcode.TEXT, text(500));
        }
    }

    @Test
    void answersManyMessagesInOnePieceInTheirOrder() throws Exception {
        int count = 2000;
        try (RawSocket socket = server.open(http)) {
            byte[][] frames = new byte[count][];
            for (int i = 0; i < count; i++) {
                frames[i] = ClientFrame.of(ClientFrame.TEXT, "message " + i);
            }
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    socket.send(frames);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            for (int i = 0; i < count; i++) {
                assertThat(socket.read().text()).isEqualTo("message " + i);
            }
            sender.join();
        }
    }

    @Test
    void pongsArePassedOverAndPingsAnsweredAlike() throws Exception {
        try (RawSocket socket = server.open(http)) {
            socket.send(ClientFrame.of(ClientFrame.PONG, "nobody asked"), ClientFrame.of(ClientFrame.PONG),
                    ClientFrame.of(ClientFrame.PING), ClientFrame.of(ClientFrame.PING, random(125)));

            assertEcho(socket.read(), Opcode.PONG, new byte[0]);
            assertEcho(socket.read(), Opcode.PONG, random(125));
        }
    }

    private static void assertEcho(RawSocket.Frame frame, int opcode, byte[] payload) throws Exception {
        assertThat(frame.opcode()).isEqualTo(opcode);
        byte[] got = frame.isCompressed() ? ClientFrame.inflated(frame.payload()) : frame.payload();
        assertThat(Arrays.equals(got, payload)).as("%d bytes, %d expected", got.length, payload.length)
                .isTrue();
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    /** Returns ASCII text that can be compressed. */
    private static byte[] text(int size) {
        byte[] bytes = new byte[size];
        var random = new Random(size);
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) ('a' + random.nextInt(4));
        }
        return bytes;
    }
}
