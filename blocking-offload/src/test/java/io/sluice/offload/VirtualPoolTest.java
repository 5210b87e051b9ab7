package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.Future;
import io.sluice.config.PoolConfig;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class VirtualPoolTest extends OffloadContractTest {

    @Override
    public PoolConfig.Kind kind() {
        return PoolConfig.Kind.VIRTUAL;
    }

    @Test
    void workersAreVirtualThreadsNamedAfterThePool() throws Exception {
        Thread worker = result(submit(offload(1, 0), _ -> Thread.currentThread()));

        assertThat(worker.isVirtual()).isTrue();
        assertThat(worker.getName()).startsWith("offload-test-");
    }

    @Test
    void cancellingDoesNotWaitForProcessorsOnWhichVirtualThreadsCompute() throws Exception {
        int threads = 2 * Runtime.getRuntime().availableProcessors();
        Offload computing = offload(threads, 0);
        var done = new AtomicBoolean();
        try {
            for (int i = 0; i < threads; i++) {
                submit(computing, _ -> {
                    while (!done.get()) {
                        Thread.onSpinWait();
                    }
                    return null;
                });
            }
            var cancelled = new CountDownLatch(1);
            var entered = new CountDownLatch(1);
            Offload other = offload(PoolConfig.of(PoolConfig.Kind.PLATFORM, 1, 0, LONG), events());
            Future<?> task = submit(other, scope -> {
                try (var _ = scope.onCancel(cancelled::countDown)) {
                    entered.countDown();
                    return cancelled.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                }
            });
            assertThat(entered.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

            task.cancel(false);

            assertThat(cancelled.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("cancelled while others compute").isTrue();
        } finally {
            done.set(true);
        }
    }
}
