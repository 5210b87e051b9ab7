package io.sluice.gateway.pipeline;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * Goes round the connections of one event loop once a second, a tenth of them at a time, so that 10,000
 * connections hold it up no more than a few requests do. Belongs on its loop.
 */
final class WatchRound {
    private static final int STEPS = 10;
    private static final long STEP_MILLIS = 100;

    private final ArrayDeque<ConnectionWatch> watches = new ArrayDeque<>();

    WatchRound(EventExecutor loop) {
        loop.scheduleWithFixedDelay(this::step, STEP_MILLIS, STEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    void add(ConnectionWatch watch) {
        watches.add(watch);
    }

    private void step() {
        long now = System.nanoTime();
        for (int left = Math.ceilDiv(watches.size(), STEPS); left > 0; left--) {
            ConnectionWatch watch = watches.remove();
            if (watch.look(now)) {
                watches.add(watch);
            }
        }
    }
}
