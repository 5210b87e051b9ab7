package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DirectMemoryTest {

    @ParameterizedTest
    @CsvSource({"79, 79, false", "80, 80, true", "80, 20, true", "100, 19, false", "0, 0, false"})
    void isShortWhereMuchIsReservedAndInUse(long reserved, long used, boolean isShort) {
        assertThat(new DirectMemory(100, () -> reserved, () -> used).isRunningOut()).isEqualTo(isShort);
    }

    @Test
    void looksCloselyOnlyWhereMuchIsReserved() {
        var looks = new AtomicLong();
        var memory = new DirectMemory(100, () -> 79, looks::incrementAndGet);

        assertThat(memory.isRunningOut()).isFalse();

        assertThat(looks).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({"1048576, 1, 1", "33554432, 2, 1", "536870911, 32, 1", "536870912, 64, 4"})
    void aSmallLimitGetsSmallChunks(long limit, int mostArenas, int chunkMebibytes) {
        var pool = BufferPool.of(limit);

        assertThat(pool.metric().chunkSize()).isEqualTo(chunkMebibytes << 20);
        assertThat(pool.metric().numDirectArenas()).isBetween(1, mostArenas);
        ByteBuf buffer = pool.directBuffer(100);
        assertThat(buffer.isDirect()).isTrue();
        buffer.release();
    }

    /** Buffers on the heap are those of a shortage: nothing else is allocated there for long. */
    @ParameterizedTest
    @ValueSource(longs = {32 << 20, 1 << 30})
    void memoryOnTheHeapIsCollectedAfterItsRelease(long limit) {
        var pool = BufferPool.of(limit);
        var buffers = new ArrayList<ByteBuf>();
        var arrays = new ArrayList<WeakReference<byte[]>>();
        for (int i = 0; i < 20; i++) {
            ByteBuf buffer = pool.heapBuffer(800_000);
            buffers.add(buffer);
            arrays.add(new WeakReference<>(buffer.array()));
        }
        buffers.forEach(ByteBuf::release);
        buffers.clear();

        await().until(() -> {
            System.gc();
            return arrays.stream().allMatch(array -> array.refersTo(null));
        });
    }
}
