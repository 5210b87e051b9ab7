package io.sluice.handlers.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.PoolConfig;
import io.sluice.config.SpillConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.WritableDirectory;
import io.sluice.handlers.FakeExchange;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.Deadline;
import io.sluice.offload.Offload;
import io.sluice.offload.OffloadStats;
import io.sluice.offload.PoolObserver;
import io.sluice.offload.Work;
import io.sluice.offload.spill.SpillSpace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UploadTest {
    private static final byte[] PIECE = new byte[64 * 1024];

    private final FakeExchange exchange = new FakeExchange(HttpMethod.POST, "/", -1);
    @TempDir
    private Path directory;

    /** The worker's result is late, so the pool releases it, if it is a reference. */
    @Test
    void aWriteThatItsDeadlineOvertakesIsReleasedOnce() throws Exception {
        try (var space = new SpillSpace(config()); var disk = new LateDisk()) {
            var upload = new Upload(exchange, space, disk, _ -> { });
            exchange.onAbort(upload::release);
            exchange.streamBody(upload);
            exchange.send(PIECE).send(new byte[10]).settle();
            await().until(() -> space.used() > 0);

            // On another thread, so that the listener runs after the worker.
            CompletableFuture.runAsync(() -> disk.writing.cancel(false)).join();
            disk.written.countDown();
            await().until(() -> disk.pool.stats().busy() == 0);
            exchange.settle();

            assertThat(exchange.failure()).isInstanceOf(CancellationException.class);
            assertThat(space.used()).isZero();
        }
    }

    /** A worker that waits for its connection keeps no buffer that is given to another request. */
    @Test
    void aBodyThatWasDroppedIsNotOpened() throws Exception {
        try (var space = new SpillSpace(config()); var disk = new LateDisk()) {
            var whole = new CompletableFuture<UploadedBody>();
            var upload = new Upload(exchange, space, disk, done -> whole.complete(done.whole()));
            exchange.onAbort(upload::release);
            exchange.streamBody(upload);
            exchange.send(new byte[10]).endBody().settle();
            exchange.leave();
            ByteBuf other = exchange.alloc().buffer(PIECE.length / 8); // the same object again
            try {
                assertThatThrownBy(() -> whole.join().open(null)).isInstanceOf(CancellationException.class);
                assertThat(other.refCnt()).isEqualTo(1);
            } finally {
                other.release(other.refCnt());
            }
        }
    }

    @Test
    void anUploadThatMemoryIsTooShortForIsReleased() throws Exception {
        try (var space = new SpillSpace(config()); var disk = new LateDisk()) {
            disk.written.countDown();
            var upload = new Upload(exchange, space, disk, _ -> { });
            exchange.send(PIECE);
            exchange.streamBody(upload);
            exchange.settle();
            await().until(() -> space.used() > 0 && disk.pool.stats().busy() == 0);
            exchange.settle();
            exchange.handledBy(_ -> upload.content(
                    new UnpooledHeapByteBuf(UnpooledByteBufAllocator.DEFAULT, new byte[1], 1) {
                        @Override
                        public byte[] array() {
                            throw new OutOfMemoryError("a test's");
                        }
                    }));

            assertThat(exchange.failure()).isInstanceOf(OutOfMemoryError.class);
            assertThat(space.used()).isZero();
        }
    }

    private SpillConfig config() {
        return new SpillConfig(Optional.of(new WritableDirectory(directory)),
                new ByteSize(10 * PIECE.length));
    }

    /** A pool whose work returns when the test allows it. */
    private static final class LateDisk implements Offload {
        private final Offload pool = Offload.start("disk",
                PoolConfig.of(PoolConfig.Kind.PLATFORM, 1, 1, Duration.ofHours(1)), PoolObserver.NONE);
        private final CountDownLatch written = new CountDownLatch(1);
        private Future<?> writing;

        @Override
        public <T> Future<T> submit(ClientNetwork client, Deadline deadline, EventExecutor home,
                                    Work<T> work) {
            Future<T> future = pool.submit(client, deadline, home, scope -> {
                T result = work.run(scope);
                written.await();
                return result;
            });
            writing = future;
            return future;
        }

        @Override
        public OffloadStats stats() {
            return pool.stats();
        }

        @Override
        public void close() {
            pool.close();
        }
    }
}
