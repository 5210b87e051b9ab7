package io.sluice.offload.source;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tells the thread of a source to stop, and ends its waits. Thread-safe. */
final class StopSignal {
    private final CountDownLatch given = new CountDownLatch(1);

    void give() {
        given.countDown();
    }

    boolean isGiven() {
        return given.getCount() == 0;
    }

    /** Waits for a time, or until the signal is given. */
    void await(long millis) throws InterruptedException {
        boolean _ = given.await(millis, TimeUnit.MILLISECONDS);
    }
}
