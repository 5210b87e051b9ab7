package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Work that signals when it has begun, and ends when the test opens the gate. */
final class Gate implements Work<String> {
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    @Override
    public String run(WorkScope scope) throws InterruptedException {
        entered.countDown();
        assertThat(opened.await(1, TimeUnit.MINUTES)).as("the gate was opened").isTrue();
        return "opened";
    }

    /** Runs like {@link #run}, and also ends when the work is cancelled. */
    String runUntilCancelled(WorkScope scope) throws InterruptedException {
        try (var _ = scope.onCancel(this::open)) {
            return run(scope);
        }
    }

    boolean isEntered() {
        return entered.getCount() == 0;
    }

    Gate awaitEntered() throws InterruptedException {
        assertThat(entered.await(OffloadTestBed.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("the work runs").isTrue();
        return this;
    }

    void open() {
        opened.countDown();
    }
}
