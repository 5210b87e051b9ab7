package io.sluice.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedMessageTest {
    private final AtomicInteger encoded = new AtomicInteger();
    private final ByteBuf payload = PooledByteBufAllocator.DEFAULT.buffer()
            .writeBytes("news".getBytes(StandardCharsets.UTF_8));
    private final SharedMessage message = new SharedMessage(true, payload);

    /** An encoding with a text before the payload, which counts how often it encodes. */
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
        first.skipBytes(2); // each buffer has its own indices
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
    void isTheSameForManyThreads() throws Exception {
        var all = new ArrayList<Future<ByteBuf>>();
        try (var threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 2000; i++) {
                String prefix = "p" + i % 2;
                all.add(threads.submit(() -> message.as(new Prefix(prefix, encoded))));
            }
            for (Future<ByteBuf> one : all) {
                ByteBuf bytes = one.get();
                assertThat(bytes.toString(StandardCharsets.UTF_8)).isIn("p0truenews", "p1truenews");
                bytes.release();
            }
        }
        assertThat(encoded.get()).isBetween(2, 16);
        message.release();
        assertThat(payload.refCnt()).isZero();
    }

    @Test
    void isNotWaitedForWhileItIsEncoded() throws Exception {
        var begun = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        SharedMessage.Encoding slow = (_, bytes) -> {
            begun.countDown();
            awaitUninterruptibly(goOn);
            return bytes.retainedDuplicate();
        };
        try (var thread = Executors.newSingleThreadExecutor()) {
            Future<ByteBuf> first = thread.submit(() -> message.as(slow));
            begun.await();

            try {
                CompletableFuture.supplyAsync(() -> message.as(new Prefix("", encoded)))
                        .get(10, TimeUnit.SECONDS).release();
            } finally {
                goOn.countDown();
                first.get().release();
            }
        }
        message.release();
        assertThat(payload.refCnt()).isZero();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
