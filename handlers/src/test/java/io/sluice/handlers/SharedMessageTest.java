package io.sluice.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedMessageTest {
    private final AtomicInteger encoded = new AtomicInteger();
    private final ByteBuf payload = PooledByteBufAllocator.DEFAULT.buffer()
            .writeBytes("news".getBytes(StandardCharsets.UTF_8));
    private final SharedMessage message = new SharedMessage(true, payload);

    /** A prefix before the payload. */
    private record Prefix(String text, AtomicInteger count) implements SharedMessage.Encoding {
        @Override
        public ByteBuf encode(boolean text, ByteBuf payload) {
            count.incrementAndGet();
            return payload.alloc().buffer().writeBytes((this.text + text).getBytes(StandardCharsets.UTF_8))
                    .writeBytes(payload, payload.readerIndex(), payload.readableBytes());
        }
    }

    @Test
    void isEncodedOnceForEqualEncodings() {
        ByteBuf first = message.as(new Prefix("a ", encoded));
        ByteBuf second = message.as(new Prefix("a ", encoded));
        ByteBuf other = message.as(new Prefix("b ", encoded));

        assertThat(encoded).hasValue(2);
        assertThat(message.size()).isEqualTo(4);
        first.skipBytes(2); // each has its own indices
        assertThat(first.toString(StandardCharsets.UTF_8)).isEqualTo("truenews");
        assertThat(second.toString(StandardCharsets.UTF_8)).isEqualTo("a truenews");
        assertThat(other.toString(StandardCharsets.UTF_8)).isEqualTo("b truenews");
        List.of(first, second, other, message).forEach(ReferenceCountUtil::release);
    }

    @Test
    void goesWhenTheLastOfItHasGone() {
        ByteBuf kept = message.as(new Prefix("", encoded));
        message.retain();
        assertThat(message.release()).isFalse();
        assertThat(payload.refCnt()).isOne();

        assertThat(message.release()).isTrue();
        assertThat(payload.refCnt()).isZero();
        assertThat(kept.toString(StandardCharsets.UTF_8)).isEqualTo("truenews");
        assertThat(kept.release()).isTrue();
    }

    @Test
    void isEncodedOnceForManyThreads() throws Exception {
        var all = new ArrayList<Future<?>>();
        try (var threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 2000; i++) {
                String prefix = "p" + i % 2;
                all.add(threads.submit(() -> {
                    ByteBuf one = message.as(new Prefix(prefix, encoded));
                    assertThat(one.toString(StandardCharsets.UTF_8)).isEqualTo(prefix + "truenews");
                    one.release();
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertThat(encoded).hasValue(2);
        message.release();
        assertThat(payload.refCnt()).isZero();
    }
}
