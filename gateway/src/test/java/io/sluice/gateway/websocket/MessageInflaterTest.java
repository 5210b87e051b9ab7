package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageInflaterTest {
    private static final int MAX = 100_000;

    private final ByteBuf out = PooledByteBufAllocator.DEFAULT.buffer(256);

    @AfterEach
    void release() {
        out.release();
    }

    /** The examples of RFC 7692 section 7.2.3, and other forms that a sender may use. */
    @ParameterizedTest
    @CsvSource({
        "f248cdc9c90700, Hello", "000500faff48656c6c6f00, Hello", "f348cdc9c9070000, Hello",
        "f24805000000ffffcac9c90700, Hello", "00, ''", "0000 00ffff 00, ''", "0300 00, ''",
        "f348cdc9c907 00 f348cdc9c907 00 00, HelloHello", "f348cdc9c907 00 f248cdc9c90700, HelloHello",
        "f248cdc9c907 000000ffff f348cdc9c907 00 00, HelloHello", "f348cdc9c90700, Hello", "'', ''"})
    void anyBlockTypeIsInflated(String hex, String text) {
        byte[] compressed = ClientFrame.hex(hex);
        for (int cut = 0; cut <= compressed.length; cut++) {
            out.clear();
            inflate(MAX, Arrays.copyOf(compressed, cut),
                    Arrays.copyOfRange(compressed, cut, compressed.length));
            assertThat(out.toString(StandardCharsets.UTF_8)).as("cut at " + cut).isEqualTo(text);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 255, 256, 257, 8191, 8192, 8193, 16_384, 99_999, 100_000})
    void inflatesUpToItsBound(int size) {
        byte[] payload = new byte[size];
        for (int i = 0; i < size; i++) {
            payload[i] = (byte) (i * i % 11);
        }
        byte[] noise = new byte[size];
        new Random(size).nextBytes(noise);
        for (byte[] each : new byte[][] {payload, noise, new byte[size]}) {
            out.clear();
            inflate(MAX, ClientFrame.deflated(each));
            assertThat(out).isEqualTo(Unpooled.wrappedBuffer(each));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100_001, 200_000, 50_000_000})
    void stopsAtItsBoundAndHoldsLittleMore(int size) {
        byte[] bomb = ClientFrame.deflated(new byte[size]);

        var refused = catchThrowableOfType(ProtocolException.class, () -> inflate(MAX, bomb));

        assertThat(refused.status().code()).isEqualTo(1009);
        assertThat(out.capacity()).isLessThanOrEqualTo(4 * MAX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"07", "ff", "0005000000", "f248cd07ff", "7dffffffffffff"})
    void invalidDataIsRefused(String hex) {
        var refused = catchThrowableOfType(ProtocolException.class, () -> inflate(MAX, ClientFrame.hex(hex)));

        assertThat(refused).isNotNull();
        assertThat(refused.status().code()).isEqualTo(1007);
    }

    /** The message ends within a block. The bytes that the receiver appends must not become part of it. */
    @ParameterizedTest
    @ValueSource(strings = {"000500faff48", "000500faff4865", "000400fbff", "f248", "f248cd",
        "000800f7ff4865"})
    void refusesAMessageWhoseEndIsMissing(String hex) {
        var refused = catchThrowableOfType(ProtocolException.class, () -> inflate(MAX, ClientFrame.hex(hex)));

        assertThat(refused).as("%s became %s", hex, out.toString(StandardCharsets.ISO_8859_1)).isNotNull();
        assertThat(refused.status().code()).isEqualTo(1007);
    }

    @Test
    void resultIsIndependentOfFragmentation() {
        byte[] payload = "a text with text in a text ".repeat(40).getBytes(StandardCharsets.UTF_8);
        byte[] compressed = ClientFrame.deflated(payload);
        for (int cut = 0; cut <= compressed.length; cut++) {
            out.clear();
            inflate(MAX, Arrays.copyOf(compressed, cut), new byte[0],
                    Arrays.copyOfRange(compressed, cut, compressed.length));
            assertThat(out).isEqualTo(Unpooled.wrappedBuffer(payload));
        }
    }

    @Test
    void randomDataIsInflatedOrRefused() {
        var random = new Random(3);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = random.nextBoolean() ? ClientFrame.deflated(new byte[random.nextInt(300)])
                    : new byte[random.nextInt(40)];
            for (int n = random.nextInt(bytes.length + 1); n > 0; n--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            out.clear();
            try {
                inflate(1000, bytes);
            } catch (ProtocolException e) {
                assertThat(e.status().code()).isIn(1007, 1009);
            }
            assertThat(out.readableBytes()).isLessThan(20_000);
        }
    }

    private void inflate(long max, byte[]... pieces) {
        var inflater = new MessageInflater(max);
        try {
            for (byte[] piece : pieces) {
                inflater.inflate(Unpooled.wrappedBuffer(piece), out);
            }
            inflater.finish(out);
        } finally {
            inflater.release();
        }
    }
}
