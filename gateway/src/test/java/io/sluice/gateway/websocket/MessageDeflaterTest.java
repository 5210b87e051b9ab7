package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageDeflaterTest {
    private final Random random = new Random(7);

    @ParameterizedTest
    @ValueSource(ints = {8, 9, 10, 11, 12, 13, 14, 15})
    void deflatedPayloadInflatesToTheSame(int windowBits) throws Exception {
        for (int size : new int[] {0, 1, 2, 100, 255, 256, 257, 511, 512, 4096, 8192, 32_767, 32_768, 32_769,
            65_536, 200_000}) {
            for (byte[] payload : new byte[][] {new byte[size], noise(size), words(size)}) {
                assertThat(ClientFrame.inflated(deflate(payload, windowBits))).isEqualTo(payload);
            }
        }
    }

    @Test
    void fillsItsBufferToTheLastByteAndLosesNothing() throws Exception {
        for (int size = 40; size < 260; size++) {
            byte[] noise = noise(size);
            assertThat(ClientFrame.inflated(deflate(noise, 15))).isEqualTo(noise);
            byte[] more = noise(8000 + size);
            assertThat(ClientFrame.inflated(deflate(more, 15))).isEqualTo(more);
        }
    }

    /**
     * Each part as long as the window must inflate by itself, with an inflater that has seen no other part. A
     * distance beyond the window would fail there.
     */
    @ParameterizedTest
    @ValueSource(ints = {8, 9, 10, 12, 14})
    void refersToNothingFurtherBackThanTheWindow(int windowBits) throws Exception {
        int window = 1 << windowBits;
        byte[] unit = noise(window / 2);
        byte[] payload = ClientFrame.join(unit, unit, unit, unit, unit, Arrays.copyOf(unit, 10));
        byte[] compressed = deflate(payload, windowBits);
        try (var inflater = new Inflater(true)) {
            byte[] out = new byte[window];
            for (int at = 0; at < payload.length; at += window) {
                int size = Math.min(window, payload.length - at);
                inflater.setInput(compressed);
                assertThat(inflater.inflate(out, 0, size)).isEqualTo(size);
                assertThat(Arrays.copyOf(out, size)).isEqualTo(Arrays.copyOfRange(payload, at, at + size));
                // The bytes behind the mark of a full flush are independent of those before it.
                int mark = indexOfMark(compressed);
                compressed = mark < 0 ? new byte[0]
                        : Arrays.copyOfRange(compressed, mark, compressed.length);
                inflater.reset();
            }
        }
    }

    private static int indexOfMark(byte[] bytes) {
        for (int i = 0; i + 4 <= bytes.length; i++) {
            if (bytes[i] == 0 && bytes[i + 1] == 0 && bytes[i + 2] == -1 && bytes[i + 3] == -1) {
                return i + 4;
            }
        }
        return -1;
    }

    @Test
    void leavesThePayloadAsItWas() {
        ByteBuf payload = PooledByteBufAllocator.DEFAULT.buffer().writeZero(10).writeBytes(words(1000))
                .skipBytes(10);
        MessageDeflater.deflate(payload, 9).release();

        assertThat(payload.readableBytes()).isEqualTo(1000);
        assertThat(payload.refCnt()).isOne();
        payload.release();
    }

    @Test
    void textIsCompressed() {
        assertThat(deflate(words(10_000), 15).length).isLessThan(4000);
    }

    private static byte[] deflate(byte[] payload, int windowBits) {
        ByteBuf buf = PooledByteBufAllocator.DEFAULT.buffer(Math.max(1, payload.length)).writeBytes(payload);
        ByteBuf compressed = MessageDeflater.deflate(buf, windowBits);
        byte[] bytes = new byte[compressed.readableBytes()];
        compressed.readBytes(bytes).release();
        buf.release();
        return bytes;
    }

    private byte[] noise(int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] words(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) "abcd ".charAt(random.nextInt(5));
        }
        return bytes;
    }
}
