package io.sluice.gateway.filter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ContentCodingTest {
    private static final ByteBufAllocator ALLOC = PooledByteBufAllocator.DEFAULT;

    @ParameterizedTest
    @EnumSource
    void isThereOnTheMachinesThatItIsBuiltFor(ContentCoding coding) {
        assertThat(coding.missing()).isNull();
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void givesBackAWholeBody(ContentCoding coding, byte[] body) throws IOException {
        ByteBuf content = ALLOC.directBuffer().writeBytes(body);
        ByteBuf compressed = coding.compress(content, ALLOC);
        try {
            assertThat(Decoding.decode(coding.toString(), ByteBufUtil.getBytes(compressed))).isEqualTo(body);
            assertThat(content.readableBytes()).isEqualTo(body.length);
        } finally {
            content.release();
            compressed.release();
        }
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void givesBackABodyInPieces(ContentCoding coding, byte[] body) throws IOException {
        var arrived = new ByteArrayOutputStream();
        try (var compressor = new BodyCompressor(coding, ALLOC)) {
            for (int at = 0; at < body.length; at += 10_000) {
                int length = Math.min(10_000, body.length - at);
                take(compressor.compress(ALLOC.directBuffer().writeBytes(body, at, length)), arrived);
                // The part that has arrived can be decompressed at once.
                assertThat(Decoding.decode(coding.toString(), arrived.toByteArray(), at + length))
                        .isEqualTo(Arrays.copyOf(body, at + length));
            }
            take(compressor.finish(), arrived);
        }
        assertThat(Decoding.decode(coding.toString(), arrived.toByteArray())).isEqualTo(body);
    }

    private static void take(ByteBuf piece, ByteArrayOutputStream arrived) throws IOException {
        piece.readBytes(arrived, piece.readableBytes());
        piece.release();
    }

    static Stream<Object[]> bodies() {
        byte[] noise = new byte[100_000];
        new Random(1).nextBytes(noise);
        return Stream.of(ContentCoding.values()).flatMap(coding -> Stream.of(new byte[0], "a".getBytes(UTF_8),
                "a text ".repeat(50_000).getBytes(UTF_8), noise).map(body -> new Object[] {coding, body}));
    }

    @ParameterizedTest
    @EnumSource
    void canBeLeftInTheMiddle(ContentCoding coding) throws IOException {
        var compressor = new BodyCompressor(coding, ALLOC);
        compressor.compress(Unpooled.copiedBuffer("half", UTF_8)).release();
        compressor.close();
        new BodyCompressor(coding, ALLOC).close();
    }
}
