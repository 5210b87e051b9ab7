package io.sluice.gateway.pipeline;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * Goes round the connections of one event loop once a second, a tenth of them at a time, so that 10,000
 * connections hold it up no more than a few requests do. Nor do thousands that are cut off at the same
 * time: the loop does other things between a few of them and the next. Belongs on its loop.
 */
final class WatchRound {
    private static final int STEPS = 10;
    private static final long STEP_MILLIS = 100;
    /** Connections: to cut off so many takes half a millisecond or so. */
    private static final int TURN = 8;

    private final EventExecutor loop;
    private final ArrayDeque<ConnectionWatch> watches = new ArrayDeque<>();

    WatchRound(EventExecutor loop) {
        this.loop = loop;
        loop.schedule(this::step, STEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    void add(ConnectionWatch watch) {
        watches.add(watch);
    }

    private void step() {
        look(Math.ceilDiv(watches.size(), STEPS));
    }

    private void look(int connections) {
        long now = System.nanoTime();
        for (int left = Math.min(connections, TURN); left > 0; left--) {
            ConnectionWatch watch = watches.remove();
            if (watch.look(now)) {
                watches.add(watch);
            }
        }
        if (connections > TURN) {
            // Scheduled: what is executed would run before the loop looks at its other connections.
            loop.schedule(() -> look(connections - TURN), 0, TimeUnit.NANOSECONDS);
        } else {
            loop.schedule(this::step, STEP_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
