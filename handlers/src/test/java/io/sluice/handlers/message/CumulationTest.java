package io.sluice.handlers.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CumulationTest {
    /** Its buffers come from the heap, as while direct memory is short. */
    private final ByteBufAllocator shortOfMemory = new PooledByteBufAllocator(false);
    private final ByteBuf begun = PooledByteBufAllocator.DEFAULT.directBuffer(16).writeBytes(new byte[15]);

    @AfterEach
    void releaseBegun() {
        if (begun.refCnt() > 0) {
            begun.release();
        }
    }

    private static ByteBuf more(int length) {
        return Unpooled.copiedBuffer("x".repeat(length), StandardCharsets.US_ASCII);
    }

    @Test
    void bufferThatHasToGrowIsReplacedByOneOfTheAllocator() {
        ByteBuf in = more(5000);

        ByteBuf all = Cumulation.CUMULATOR.cumulate(shortOfMemory, begun, in);

        assertThat(all.isDirect()).isFalse();
        assertThat(all.readableBytes()).isEqualTo(5015);
        assertThat(all.getByte(14)).isZero();
        assertThat(all.getByte(15)).isEqualTo((byte) 'x');
        assertThat(begun.refCnt()).isZero();
        assertThat(in.refCnt()).isZero();
        all.release();
    }

    @Test
    void bufferWithRoomIsKept() {
        ByteBuf in = more(1);

        assertThat(Cumulation.CUMULATOR.cumulate(shortOfMemory, begun, in)).isSameAs(begun);

        assertThat(begun.readableBytes()).isEqualTo(16);
        assertThat(in.refCnt()).isZero();
    }

    @Test
    void decoderKeepsItsInputIfThereIsNoMemoryAtAll() {
        ByteBuf in = more(5000);
        var exhausted = new PooledByteBufAllocator(false) {
            @Override
            protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
                throw new OutOfMemoryError("exhausted");
            }
        };

        assertThatThrownBy(() -> Cumulation.CUMULATOR.cumulate(exhausted, begun, in))
                .isInstanceOf(OutOfMemoryError.class);

        assertThat(begun.readableBytes()).isEqualTo(15);
        assertThat(in.refCnt()).isZero();
    }
}
