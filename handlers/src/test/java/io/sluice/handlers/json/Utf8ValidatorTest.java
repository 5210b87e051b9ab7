package io.sluice.handlers.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The UTF-8 validator, compared with the JDK's decoder. */
class Utf8ValidatorTest {
    private final CharsetDecoder jdk = StandardCharsets.UTF_8.newDecoder();
    private final CharBuffer chars = CharBuffer.allocate(300);

    private boolean isValid(byte[] bytes) {
        return !jdk.reset().decode(ByteBuffer.wrap(bytes), chars.clear(), true).isError();
    }

    private static boolean accepts(byte[] bytes, int... cuts) {
        var validator = new Utf8Validator();
        ByteBuf buf = Unpooled.wrappedBuffer(bytes);
        int at = 0;
        for (int cut : cuts) {
            if (!validator.accepts(buf, at, cut - at)) {
                return false;
            }
            at = cut;
        }
        return validator.accepts(buf, at, bytes.length - at) && validator.complete();
    }

    @Test
    void agreesOnAllOfUpToTwoBytes() {
        for (int i = 0; i < 0x1_0000; i++) {
            assertSame(new byte[] {(byte) i}, new byte[] {(byte) (i >> 8), (byte) i});
        }
    }

    @Test
    void agreesOnAllOfThreeBytes() {
        var bytes = new byte[3];
        for (int i = 0; i < 0x100_0000; i++) {
            bytes[0] = (byte) (i >> 16);
            bytes[1] = (byte) (i >> 8);
            bytes[2] = (byte) i;
            if (accepts(bytes) != isValid(bytes)) {
                assertSame(bytes);
            }
        }
    }

    @Test
    void agreesOnFourBytesAroundEveryBorder() {
        int[] borders = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xDF, 0xE0, 0xED, 0xEF,
            0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF};
        for (int first = 0; first < 256; first++) {
            for (int second = 0; second < 256; second++) {
                for (int third : borders) {
                    for (int fourth : borders) {
                        assertSame(new byte[] {(byte) first, (byte) second, (byte) third, (byte) fourth});
                    }
                }
            }
        }
    }

    private void assertSame(byte[]... texts) {
        for (byte[] text : texts) {
            if (accepts(text) != isValid(text)) {
                throw new AssertionError(Arrays.toString(text) + " is valid: " + isValid(text));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void agreesOnRandomTextsHoweverTheyAreCut(int seed) {
        var random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] text = random.ints(random.nextInt(12), 0, 0x11_0000)
                    .map(c -> random.nextInt(3) == 0 ? c : c % 0x80)
                    .filter(c -> c < 0xD800 || c > 0xDFFF)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString().getBytes(StandardCharsets.UTF_8);
            if (text.length > 0 && random.nextBoolean()) {
                text[random.nextInt(text.length)] = (byte) random.nextInt();
            }
            int first = random.nextInt(text.length + 1);
            int second = first + random.nextInt(text.length - first + 1);
            assertThat(accepts(text, first, second)).as(Arrays.toString(text)).isEqualTo(isValid(text));
        }
    }

    @ParameterizedTest
    @CsvSource({"80, 0", "c0, 0", "c1, 0", "f5, 0", "ff, 0", "e080, 1", "e09f, 1", "eda0, 1", "f08f, 1",
        "f490, 1", "c341, 1", "e28241, 2", "f09f9841, 3", "6161616161616161ff, 8"})
    void refusesTheFirstByteThatCannotBe(String hex, int wrong) {
        ByteBuf bytes = Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex));
        for (int i = 0; i < bytes.readableBytes(); i++) {
            var validator = new Utf8Validator();
            assertThat(validator.accepts(bytes, 0, i + 1)).isEqualTo(i < wrong);
        }
    }

    @Test
    void beginsAnewBehindACompleteText() {
        var validator = new Utf8Validator();
        ByteBuf half = Unpooled.wrappedBuffer(HexFormat.of().parseHex("f09f"));
        assertThat(validator.accepts(half, 0, 2)).isTrue();
        assertThat(validator.complete()).isFalse();
        assertThat(validator.accepts(Unpooled.wrappedBuffer(new byte[] {'a'}), 0, 1)).isTrue();
        assertThat(validator.complete()).isTrue();
    }
}
