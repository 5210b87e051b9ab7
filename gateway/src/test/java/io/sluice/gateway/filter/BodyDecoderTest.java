package io.sluice.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sluice.handlers.HttpException;
import io.sluice.offload.ClientNetwork;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BodyDecoderTest {
    private static final long MIB = 1 << 20;
    private static final ClientNetwork CLIENT = new ClientNetwork(1, false);

    private int turns;

    static byte[] coded(RequestCoding coding, byte[] bytes) throws IOException {
        if (coding == RequestCoding.ZSTD) {
            return Zstd.compress(bytes);
        }
        var coded = new ByteArrayOutputStream();
        try (OutputStream out = coding == RequestCoding.GZIP ? new GZIPOutputStream(coded)
                : new DeflaterOutputStream(coded)) {
            out.write(bytes);
        }
        return coded.toByteArray();
    }

    private byte[] decoded(byte[] body, long limit, RequestCoding... codings) {
        ByteBuf input = ByteBufAllocator.DEFAULT.buffer().writeBytes(body);
        try (var decoder =
                new BodyDecoder(ByteBufAllocator.DEFAULT, CLIENT, input, List.of(codings), limit)) {
            turns = 1;
            ByteBuf whole = decoder.turn();
            for (; whole == null; turns++) {
                whole = decoder.turn();
            }
            return ByteBufUtil.getBytes(whole);
        }
    }

    /** Half of it can be compressed well. */
    private static byte[] text() {
        byte[] bytes = new byte[300_000];
        new Random(1).nextBytes(bytes);
        Arrays.fill(bytes, 0, 150_000, (byte) 'a');
        return bytes;
    }

    private static void assertRefused(int status, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(HttpException.class,
                e -> assertThat(e.status().code()).isEqualTo(status));
    }

    @ParameterizedTest
    @EnumSource(RequestCoding.class)
    void bodiesAreDecoded(RequestCoding coding) throws Exception {
        byte[] text = text();

        assertThat(decoded(coded(coding, text), MIB, coding)).isEqualTo(text);
        assertThat(turns).isGreaterThan(2);
        assertThat(decoded(coded(coding, new byte[0]), 0, coding)).isEmpty();
        assertThat(decoded(new byte[0], 0, coding)).isEmpty();
        byte[] twice = coded(RequestCoding.GZIP, coded(coding, text));
        assertThat(decoded(twice, MIB, coding, RequestCoding.GZIP)).isEqualTo(text);
    }

    @ParameterizedTest
    @EnumSource(RequestCoding.class)
    void malformedBodiesAreRefused(RequestCoding coding) throws Exception {
        byte[] coded = coded(coding, text());
        for (int length : new int[] {1, 5, 17, 1000, coded.length - 9, coded.length - 1}) {
            assertRefused(400, () -> decoded(Arrays.copyOf(coded, length), MIB, coding));
        }
        assertRefused(400, () -> decoded("{\"v\":\"x\"}".getBytes(), MIB, coding));
        assertRefused(400, () -> decoded(new byte[100], MIB, coding));
        byte[] wrong = coded.clone();
        wrong[0] ^= 1;
        assertRefused(400, () -> decoded(wrong, MIB, coding));
        if (coding != RequestCoding.DEFLATE) { // whose end is in itself
            assertRefused(400, () -> decoded(Arrays.copyOf(coded, coded.length + 100), MIB, coding));
        }
    }

    @Test
    void theChecksumOfGzipCounts() throws Exception {
        byte[] coded = coded(RequestCoding.GZIP, text());
        coded[coded.length - 6] ^= 1;

        assertRefused(400, () -> decoded(coded, MIB, RequestCoding.GZIP));
    }

    @ParameterizedTest
    @EnumSource(RequestCoding.class)
    void bombsAreRefusedWhenTheyReachTheLimit(RequestCoding coding) throws Exception {
        byte[] bomb = coded(coding, new byte[8 << 20]);

        assertRefused(413, () -> decoded(bomb, MIB, coding));
        assertThat(turns).isBetween(5, 40);
        assertRefused(413, () -> decoded(coded(coding, bomb), MIB, coding, coding));
    }

    /** Empty members and frames: input without any output. */
    @Test
    void inputWithoutOutputTakesTurns() throws Exception {
        for (RequestCoding coding : new RequestCoding[] {RequestCoding.GZIP, RequestCoding.ZSTD}) {
            byte[] empty = coded(coding, new byte[0]);
            ByteBuf many = Unpooled.buffer();
            while (many.readableBytes() < 128 * 1024) {
                many.writeBytes(empty);
            }

            assertThat(decoded(ByteBufUtil.getBytes(many), MIB, coding)).isEmpty();
            assertThat(turns).isGreaterThan(1);
        }
    }

    /** A frame may ask for a window of 128 MiB, which its decoder would allocate. */
    @Test
    void largeWindowsOfZstdAreRefused() {
        byte[] frame = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0, (byte) (27 - 10 << 3), 1, 0, 0};
        byte[] allowed = frame.clone();
        allowed[5] = 23 - 10 << 3;

        assertThat(decoded(allowed, MIB, RequestCoding.ZSTD)).isEmpty();
        assertRefused(400, () -> decoded(frame, MIB, RequestCoding.ZSTD));
    }
}
