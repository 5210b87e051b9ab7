package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.PoolConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** A pool whose threads cannot be started. */
class OffloadPoolTest {
    private final List<Runnable> begun = new ArrayList<>();
    private final SteppedHome home = new SteppedHome(Ticker.systemTicker());
    private boolean scarce = true;

    /** Begins a task and fails all the same, as the JDK does if a virtual thread finds no carrier. */
    private final Workers workers = new Workers() {
        @Override
        public List<Executor> all() {
            return List.of(task -> {
                begun.add(task);
                if (scarce) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
            });
        }

        @Override
        public void close() {
        }
    };
    private final OffloadPool pool = new OffloadPool("test",
            PoolConfig.of(PoolConfig.Kind.VIRTUAL, 1, 1, Duration.ofMinutes(1)), PoolObserver.NONE,
            Ticker.systemTicker(), workers);

    private Future<String> submit(String result) {
        return pool.submit(Deadline.after(Duration.ofMinutes(1)), home, _ -> result);
    }

    @Test
    void aTaskWithoutAThreadFailsAndItsWorkerIsIdleAgain() {
        Future<String> failed = submit("never");
        assertThat(failed.cause()).isInstanceOf(OutOfMemoryError.class);
        assertThat(pool.stats().busy()).isZero();

        scarce = false;
        Future<String> second = submit("second");
        begun.getFirst().run();
        assertThat(pool.stats().busy()).as("with the former task run late").isOne();
        begun.getLast().run();
        assertThat(second.getNow()).isEqualTo("second");
        assertThat(pool.stats().busy()).isZero();
    }
}
