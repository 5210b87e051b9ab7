package io.sluice.handlers.query;

import io.netty.util.concurrent.Ticker;
import io.sluice.offload.Deadline;
import io.sluice.offload.WorkScope;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/** The scope of a writer that a test lets wait, on a clock and with a grace of its own. */
final class WaitingScope implements WorkScope {
    private static final Duration FOREVER = Duration.ofHours(1);

    volatile boolean abandoned;
    volatile Duration grace = FOREVER;
    volatile Ticker clock = Ticker.systemTicker();
    private volatile Runnable onCancel = () -> { };
    /** Released each time that the writer asks how long it may wait. */
    final Semaphore looks = new Semaphore(0);
    volatile Thread writer;

    void cancel() {
        abandoned = true;
        onCancel.run();
    }

    @Override
    public Deadline deadline() {
        return Deadline.after(FOREVER, clock);
    }

    @Override
    public boolean isAbandoned() {
        return abandoned;
    }

    @Override
    public long clientGraceNanos() {
        writer = Thread.currentThread();
        looks.release();
        return grace.toNanos();
    }

    @Override
    public Registration onCancel(Runnable action) {
        onCancel = action;
        return () -> onCancel = () -> { };
    }
}
