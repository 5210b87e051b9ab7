package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageEncodingTest {
    private static final PerMessageDeflate AGREED = new PerMessageDeflate(15, false);

    @ParameterizedTest
    @CsvSource({"0, 8200", "1, 8201", "125, 827d", "126, 827e007e", "127, 827e007f", "65535, 827effff",
        "65536, 827f0000000000010000", "1048577, 827f0000000000100001"})
    void writesTheShortestHeader(int size, String header) {
        for (PerMessageDeflate none : new PerMessageDeflate[] {null, AGREED}) {
            byte[] frame = encode(MessageEncoding.of(none, 100_000), false, size);

            assertThat(frame).startsWith(ClientFrame.hex(header));
            assertThat(frame).hasSize(header.length() / 2 + size);
        }
    }

    @ParameterizedTest
    @CsvSource({"15, 1023, false", "15, 1024, true", "15, 65536, true", "15, 65537, false",
        "10, 65536, true", "8, 16384, true", "8, 16385, false"})
    void compressionDependsOnTheMessageSize(int windowBits, int size, boolean compressed) throws Exception {
        byte[] frame = encode(MessageEncoding.of(new PerMessageDeflate(windowBits, true), 1024), true, size);

        assertThat(frame[0] & 0xFF).isEqualTo(compressed ? 0xC1 : 0x81);
        if (compressed) {
            int header = frame.length < 128 ? 2 : 4;
            assertThat(ClientFrame.inflated(Arrays.copyOfRange(frame, header, frame.length))).hasSize(size);
        }
    }

    @Test
    void compressesNothingAsOneByte() {
        assertThat(encode(MessageEncoding.of(AGREED, 0), true, 0)).isEqualTo(ClientFrame.hex("c10100"));
    }

    @Test
    void isEqualForSocketsThatTakeTheSame() {
        assertThat(MessageEncoding.of(null, 1)).isEqualTo(MessageEncoding.of(null, 2));
        assertThat(MessageEncoding.of(AGREED, 1))
                .isEqualTo(MessageEncoding.of(new PerMessageDeflate(15, true), 1))
                .isNotEqualTo(MessageEncoding.of(AGREED, 2))
                .isNotEqualTo(MessageEncoding.of(new PerMessageDeflate(14, true), 1))
                .isNotEqualTo(MessageEncoding.of(null, 1));
    }

    private static byte[] encode(MessageEncoding encoding, boolean text, int size) {
        ByteBuf payload = PooledByteBufAllocator.DEFAULT.buffer(Math.max(1, size)).writeZero(size);
        ByteBuf frame = encoding.encode(text, payload);
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes).release();
        assertThat(payload.readableBytes()).isEqualTo(size);
        payload.release();
        return bytes;
    }
}
