package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.PoolConfig;
import io.sluice.config.type.Share;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventLoopOffloadTest {
    private static final Deadline LATER = Deadline.after(Duration.ofMinutes(1));

    private final EventExecutor home = new DefaultEventExecutor();
    private final CountingObserver events = new CountingObserver();
    private final Offload offload = Offload.start("test", new PoolConfig(PoolConfig.Kind.PLATFORM,
            PoolConfig.Execution.EVENT_LOOP, 3, 0, Duration.ofSeconds(1), new Share(50),
            Duration.ofSeconds(1)), events);

    @AfterEach
    void close() {
        offload.close();
        home.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void workRunsWhereItIsAskedForAndKeepsEverythingElseWaiting() throws Exception {
        Future<Boolean> done = home.submit(() -> {
            Future<Thread> worker = offload.submit(LATER, home, _ -> Thread.currentThread());
            return worker.isDone() && worker.getNow() == Thread.currentThread();
        });

        assertThat(done.sync().getNow()).isTrue();
    }

    @Test
    void workFromElsewhereRunsAtHomeTooOneAfterTheOther() throws Exception {
        var entered = new CountDownLatch(1);
        var leave = new CountDownLatch(1);
        Future<Boolean> first = offload.submit(LATER, home, _ -> {
            entered.countDown();
            return leave.await(30, TimeUnit.SECONDS);
        });
        assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
        Future<Boolean> second = offload.submit(LATER, home, _ -> home.inEventLoop());
        Future<Boolean> cancelled = offload.submit(LATER, home, _ -> true);
        cancelled.cancel(false);

        assertThat(offload.stats().busy()).isEqualTo(1);
        assertThat(first.cancel(true)).as("nobody could").isFalse();
        leave.countDown();
        assertThat(second.sync().getNow()).isTrue();
        assertThat(first.getNow()).isTrue();

        home.submit(() -> { }).sync();
        assertThat(events.started).hasValue(2);
        assertThat(events.finished).hasValue(2);
        assertThat(offload.stats().workers()).isEqualTo(3);
        assertThat(offload.stats().busy()).isZero();
        assertThat(offload.stats().meanRunTime()).isPositive();
    }

    @Test
    void whatWorkThrowsIsItsFailure() throws Exception {
        Future<?> failed = offload.submit(LATER, home, scope -> {
            try (var _ = scope.onCancel(() -> { })) {
                throw new IllegalStateException("as it happens");
            }
        });

        assertThat(failed.await().cause()).hasMessage("as it happens");
    }
}
