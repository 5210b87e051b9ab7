package io.sluice.gateway.offload;

import java.util.concurrent.CountDownLatch;

/** A function for statements of H2, which wait in it while it is closed. */
public final class LiveGate {
    private static volatile CountDownLatch gate = new CountDownLatch(0);

    private LiveGate() {
    }

    /** Returns when it is open. */
    public static boolean pass() throws InterruptedException {
        gate.await();
        return true;
    }

    static void close() {
        gate = new CountDownLatch(1);
    }

    static void open() {
        gate.countDown();
    }
}
