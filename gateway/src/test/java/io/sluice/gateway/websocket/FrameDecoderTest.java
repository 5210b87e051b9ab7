package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FrameDecoderTest {
    private static final long MAX_FRAME = 70_000;

    /** A sink that joins the pieces of a frame. */
    private static final class Frames implements FrameDecoder.Sink {
        private final List<String> seen = new ArrayList<>();
        private String head = "";
        private StringBuilder payload = new StringBuilder();
        private boolean takes = true;
        private int pieces;
        private int most = Integer.MAX_VALUE;

        @Override
        public void begin(int opcode, boolean last, boolean compressed, long length) {
            head = opcode + (last ? " last" : "") + (compressed ? " compressed" : "") + ' ' + length + ' ';
        }

        @Override
        public int takes(int opcode) {
            return takes || Opcode.isControl(opcode) ? most : 0;
        }

        @Override
        public void payload(ByteBuf piece, boolean complete) {
            pieces++;
            byte[] bytes = new byte[piece.readableBytes()];
            piece.getBytes(piece.readerIndex(), bytes);
            payload.append(HexFormat.of().formatHex(bytes));
            if (complete) {
                seen.add(head + payload);
                payload = new StringBuilder();
            }
        }
    }

    static List<byte[]> frames() {
        return List.of(
                ClientFrame.of(ClientFrame.TEXT),
                ClientFrame.of(ClientFrame.TEXT, "a"),
                ClientFrame.of(ClientFrame.BINARY, random(7)),
                ClientFrame.of(ClientFrame.BINARY, random(9)),
                ClientFrame.of(ClientFrame.BINARY, random(125)),
                ClientFrame.of(ClientFrame.BINARY, random(126)),
                ClientFrame.of(ClientFrame.BINARY, random(127)),
                ClientFrame.of(ClientFrame.TEXT | ClientFrame.COMPRESSED, random(33)),
                ClientFrame.of(ClientFrame.PING, random(125)),
                ClientFrame.of(ClientFrame.PONG),
                ClientFrame.close(1000, "bye"),
                ClientFrame.join(ClientFrame.of(Opcode.TEXT | ClientFrame.COMPRESSED, "a"),
                        ClientFrame.of(ClientFrame.PING, "b"), ClientFrame.of(Opcode.CONTINUATION, "c"),
                        ClientFrame.of(ClientFrame.PONG), ClientFrame.of(ClientFrame.LAST, "d")),
                ClientFrame.join(ClientFrame.of(Opcode.BINARY), ClientFrame.of(ClientFrame.LAST),
                        ClientFrame.of(ClientFrame.TEXT, "e"), ClientFrame.of(ClientFrame.TEXT)));
    }

    @ParameterizedTest
    @MethodSource("frames")
    void doNotDependOnHowTheyAreCut(byte[] bytes) {
        List<String> whole = decode(bytes);
        assertThat(whole).isNotEmpty();

        for (int first = 0; first <= bytes.length; first++) {
            for (int second = first; second <= bytes.length; second += bytes.length < 60 ? 1 : 13) {
                assertThat(decode(bytes, first, second)).isEqualTo(whole);
            }
        }
        int[] everywhere = new int[bytes.length];
        for (int i = 0; i < everywhere.length; i++) {
            everywhere[i] = i;
        }
        assertThat(decode(bytes, everywhere)).isEqualTo(whole);
    }

    @Test
    void areUnmasked() {
        assertThat(decode(ClientFrame.hex("818537fa213d7f9f4d5158"))).containsExactly("1 last 5 48656c6c6f");
        for (int length : new int[] {0, 3, 8, 200, 65_535, 65_536, 70_000}) {
            byte[] payload = random(length);
            assertThat(decode(ClientFrame.of(ClientFrame.BINARY, payload)))
                    .containsExactly("2 last " + length + ' ' + HexFormat.of().formatHex(payload));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "8300, opcode", "8400, opcode", "8700, opcode", "8b80, opcode", "8f80, opcode", "0380, opcode",
        "9180, reserved", "a180, reserved", "b180, reserved", "9980, reserved",
        "c080, compressed", "4080, compressed", "c880, compressed", "c980, compressed", "ca80, compressed",
        "8100, masked", "8105, masked", "8900, masked", "8800, masked", "817e, masked",
        "0980, fragmented", "0880, fragmented", "0a80, fragmented",
        "89fe, longer than 125", "88ff, longer than 125", "8afe, longer than 125",
        "8080, has not begun", "0080, has not begun", "0180 00000000 8180, within another",
        "0180 00000000 0280, within another", "0180 00000000 8080 00000000 8080, has not begun",
        "81fe 0000, more bytes than it needs", "81fe 007d, more bytes than it needs",
        "81ff 0000000000000000, more bytes than it needs", "81ff 000000000000ffff, more bytes",
        "81ff 8000000000000000, negative", "81ff ffffffffffffffff, negative"})
    void areRefusedAsSoonAsTheyAreWrong(String hex, String reason) {
        byte[] bytes = ClientFrame.hex(hex);
        // The frame is refused exactly at the invalid byte, which is the last one.
        decode(Arrays.copyOf(bytes, bytes.length - 1));
        var refused = catchThrowableOfType(ProtocolException.class, () -> decode(bytes));

        assertThat(refused).isNotNull().hasMessageContaining(reason);
        assertThat(refused.status().code()).isEqualTo(1002);
        assertThat(refused.status().reasonText()).contains(reason);
    }

    @Test
    void areRefusedAsCompressedWhereThatWasNotAgreedOn() {
        var plain = new FrameDecoder(new Frames(), false, MAX_FRAME);

        var refused = catchThrowableOfType(ProtocolException.class,
                () -> plain.decode(Unpooled.wrappedBuffer(ClientFrame.hex("c180"))));

        assertThat(refused.status().code()).isEqualTo(1002);
    }

    @ParameterizedTest
    @CsvSource({"82ff 0000000000011171", "82ff 7fffffffffffffff", "02ff 0000000100000000"})
    void areTooLongByTheirHeaderAlone(String hex) {
        var refused = catchThrowableOfType(ProtocolException.class, () -> decode(ClientFrame.hex(hex)));

        assertThat(refused.status().code()).isEqualTo(1009);
        assertThat(refused.status().reasonText()).contains("70000");
    }

    @Test
    void waitWhereTheyAreNotTakenAndControlFramesDoNot() {
        var frames = new Frames();
        var decoder = new FrameDecoder(frames, true, MAX_FRAME);
        frames.takes = false;
        ByteBuf in = Unpooled.wrappedBuffer(ClientFrame.of(ClientFrame.PING, "a"),
                ClientFrame.of(ClientFrame.TEXT, "b"), ClientFrame.of(ClientFrame.PING, "c"));

        assertThat(decoder.decode(in)).isFalse();
        assertThat(frames.seen).containsExactly("9 last 1 61");
        assertThat(decoder.decode(in)).isFalse();
        assertThat(frames.seen).hasSize(1);

        frames.takes = true;
        assertThat(decoder.decode(in)).isTrue();
        assertThat(frames.seen).containsExactly("9 last 1 61", "1 last 1 62", "9 last 1 63");
        assertThat(in.isReadable()).isFalse();
    }

    @Test
    void waitWhereTheyHaveNoPayloadToo() {
        var frames = new Frames();
        var decoder = new FrameDecoder(frames, true, MAX_FRAME);
        frames.takes = false;
        ByteBuf in = Unpooled.wrappedBuffer(ClientFrame.of(ClientFrame.TEXT));
        assertThat(decoder.decode(in)).isFalse();
        assertThat(in.isReadable()).isFalse();

        frames.takes = true;
        assertThat(decoder.decode(in)).isTrue();
        assertThat(frames.seen).containsExactly("1 last 0 ");
    }

    @Test
    void comeInPiecesAsLargeAsTheyAreTaken() {
        byte[] payload = random(1000);
        for (int most : new int[] {1, 7, 256, 999, 1000}) {
            var frames = new Frames();
            frames.most = most;
            assertThat(new FrameDecoder(frames, true, MAX_FRAME).decode(
                    Unpooled.wrappedBuffer(ClientFrame.of(ClientFrame.BINARY, payload)))).isTrue();
            assertThat(frames.pieces).isEqualTo((1000 + most - 1) / most);
            assertThat(frames.seen).containsExactly("2 last 1000 " + HexFormat.of().formatHex(payload));
        }
    }

    private static List<String> decode(byte[] bytes, int... cuts) {
        var frames = new Frames();
        var decoder = new FrameDecoder(frames, true, MAX_FRAME);
        byte[] copy = bytes.clone(); // the decoder unmasks in place
        int at = 0;
        for (int cut : cuts) {
            decoder.decode(Unpooled.wrappedBuffer(copy, at, cut - at));
            at = cut;
        }
        decoder.decode(Unpooled.wrappedBuffer(copy, at, copy.length - at));
        return frames.seen;
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
