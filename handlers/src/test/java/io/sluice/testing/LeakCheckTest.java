package io.sluice.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;

class LeakCheckTest {

    @Test
    void unreleasedBufferIsFound() throws InterruptedException {
        PooledByteBufAllocator.DEFAULT.buffer(16);

        assertThat(LeakCheck.find()).singleElement().asString().contains("ByteBuf");
    }

    @Test
    void findsNothingWhereAllWereReleased() throws InterruptedException {
        PooledByteBufAllocator.DEFAULT.buffer(16).release();

        assertThat(LeakCheck.find()).isEmpty();
    }
}
