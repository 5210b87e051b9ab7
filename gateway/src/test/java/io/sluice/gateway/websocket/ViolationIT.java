package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.tunnel.Http;
import io.sluice.gateway.websocket.SocketServer.Recorder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Protocol violations of clients: they close the socket at the first invalid byte, and reach no handler. */
@ParameterizedClass
@EnumSource
class ViolationIT {
    @Parameter
    private Http http;

    private static final int MAX_FRAME = 1000;
    private static final int MAX_MESSAGE = 3000;
    private static final Recorder HANDLER = new Recorder();
    private static SocketServer server;

    @BeforeAll
    static void start() {
        server = new SocketServer(new SocketSettings().limits(MAX_FRAME, MAX_MESSAGE), HANDLER);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void requireOneCloseAndNoMessage() throws InterruptedException {
        server.awaitGone();
        assertThat(HANDLER.next()).isEqualTo("opened");
        assertThat(HANDLER.next()).isEqualTo("closed");
        assertThat(HANDLER.rest()).isEmpty();
    }

    private void assertClosed(int code, String reason, String headers, byte[]... frames)
            throws Exception {
        try (RawSocket socket = server.open(http, headers)) {
            socket.send(frames);
            RawSocket.Frame close = socket.read();

            assertThat(close.closeCode()).isEqualTo(code);
            assertThat(close.closeReason()).contains(reason);
            assertThat(socket.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"810161, masked", "8100, masked", "890161, masked", "8380, opcode", "8b80, opcode",
        "9180, reserved", "a180, reserved", "c180, compressed", "0980, fragmented", "89fe, longer than 125",
        "8080, has not begun", "0181 00000000 61 8181, within another", "81fe007d, more bytes",
        "81ff8000000000000000, negative"})
    void invalidHeadersGet1002(String hex, String reason) throws Exception {
        assertClosed(1002, reason, "", ClientFrame.hex(hex));
    }

    @ParameterizedTest
    @CsvSource({"c080", "4080", "c980", "ca80", "c880", "0181 00000000 61 c080"})
    void areCompressedWhereTheyMustNotBe(String hex) throws Exception {
        assertClosed(1002, "compressed", RawSocket.DEFLATE, ClientFrame.hex(hex));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ff", "6162c0", "e280ff", "eda0", "f4908080", "6162636465666768ff"})
    void areFoundInATextThatHasNotEnded(String hex) throws Exception {
        assertClosed(1007, "UTF-8", "", ClientFrame.header(ClientFrame.TEXT, 900),
                ClientFrame.masked(ClientFrame.hex(hex)));
    }

    @ParameterizedTest
    @CsvSource({"c3, 28", "e2, 8228", "e282, 28", "f09f, 9828", "eda0, 80", "6161, ff"})
    void areFoundInACharacterThatIsCut(String first, String rest) throws Exception {
        assertClosed(1007, "UTF-8", "", ClientFrame.of(Opcode.TEXT, ClientFrame.hex(first)),
                ClientFrame.of(ClientFrame.PONG), ClientFrame.of(Opcode.CONTINUATION, ClientFrame.hex(rest)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"c3", "e282", "f09f98", "61c3"})
    void areTextsThatEndWithinACharacter(String hex) throws Exception {
        assertClosed(1007, "ends within", "", ClientFrame.of(ClientFrame.TEXT, ClientFrame.hex(hex)));
    }

    @Test
    void areFoundInACompressedTextThatHasNotEnded() throws Exception {
        byte[] text = ClientFrame.join("a".repeat(500).getBytes(StandardCharsets.UTF_8), new byte[] {-1},
                "b".repeat(500).getBytes(StandardCharsets.UTF_8));
        assertClosed(1007, "UTF-8", RawSocket.DEFLATE,
                ClientFrame.of(Opcode.TEXT | ClientFrame.COMPRESSED, ClientFrame.deflated(text)));
    }

    @Test
    void areCompressedTextsThatEndWithinACharacter() throws Exception {
        assertClosed(1007, "ends within", RawSocket.DEFLATE,
                ClientFrame.of(ClientFrame.TEXT | ClientFrame.COMPRESSED,
                        ClientFrame.deflated(new byte[] {'a', (byte) 0xC3})));
    }

    @ParameterizedTest
    @ValueSource(strings = {"07", "ffffff", "000500faff4865"})
    void invalidDeflateDataGets1007(String hex) throws Exception {
        assertClosed(1007, "", RawSocket.DEFLATE,
                ClientFrame.of(ClientFrame.BINARY | ClientFrame.COMPRESSED, ClientFrame.hex(hex)));
    }

    @ParameterizedTest
    @ValueSource(longs = {MAX_FRAME + 1, 65_535, 65_536, Integer.MAX_VALUE, Integer.MAX_VALUE + 1L,
        Long.MAX_VALUE})
    void areFramesThatWillBeTooLong(long length) throws Exception {
        assertClosed(1009, "a frame is too long (expected: at most 1000 bytes)", "",
                Arrays.copyOf(ClientFrame.header(ClientFrame.BINARY, length), length < 65_536 ? 4 : 10));
    }

    @Test
    void areMessagesThatWillBeTooLong() throws Exception {
        byte[] most = new byte[MAX_FRAME];
        assertClosed(1009, "a message is too long (expected: at most 3000 bytes)", "",
                ClientFrame.of(Opcode.BINARY, most), ClientFrame.of(Opcode.CONTINUATION, most),
                ClientFrame.of(Opcode.CONTINUATION, most),
                Arrays.copyOf(ClientFrame.header(Opcode.CONTINUATION, 1), 2));
    }

    @Test
    void decompressionBombGets1009() throws Exception {
        byte[] bomb = ClientFrame.deflated(new byte[500_000]);
        assertThat(bomb.length).isLessThan(2 * MAX_MESSAGE);
        assertClosed(1009, "a message is too long", RawSocket.DEFLATE,
                ClientFrame.of(Opcode.BINARY | ClientFrame.COMPRESSED, Arrays.copyOf(bomb, MAX_FRAME)));
    }

    @Test
    void areBombsOfManyStreams() throws Exception {
        byte[] stream = ClientFrame.hex("f348cdc9c90700"); // the text Hello, in a last block
        byte[] streams = ClientFrame.join(Collections.nCopies(120, stream).toArray(byte[][]::new));
        byte[][] frames = new byte[6][];
        Arrays.fill(frames, ClientFrame.of(Opcode.CONTINUATION, streams));
        frames[0] = ClientFrame.of(Opcode.BINARY | ClientFrame.COMPRESSED, streams);
        assertClosed(1009, "a message is too long", RawSocket.DEFLATE, frames);
    }
}
