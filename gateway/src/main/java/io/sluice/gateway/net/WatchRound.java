package io.sluice.gateway.net;

import io.netty.channel.EventLoop;
import io.sluice.offload.Guard;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the connections of one event loop once a second, a tenth of them at a time, so that 10,000
 * connections delay the loop no more than a few requests do. Even when thousands have to be closed at the
 * same time, the loop serves others after every few of them. A connection whose check fails is closed, and
 * the round continues. Confined to its loop.
 */
final class WatchRound {
    private static final Logger log = LoggerFactory.getLogger(WatchRound.class);
    private static final int STEPS = 10;
    /** Checks per turn: if each closes a connection or a stream, they take 2 ms at most. */
    private static final int TURN = 8;

    private final EventLoop loop;
    private final Guard guard = new Guard(log, "the watch over a connection failed; it is closed");
    private final ArrayDeque<ConnectionWatch> watches = new ArrayDeque<>();
    /** Connections of the current step that have not been checked yet. */
    private int left;

    /** A round over no connections yet. */
    WatchRound(EventLoop loop) {
        this.loop = loop;
    }

    void add(ConnectionWatch watch) {
        watches.add(watch);
    }

    /** Checks a tenth of the connections. Called ten times a second. */
    void step() {
        if (left == 0) {
            left = Math.ceilDiv(watches.size(), STEPS);
            checkNext();
        }
    }

    private void checkNext() {
        long now = loop.ticker().nanoTime();
        for (int turn = TURN; turn > 0 && left > 0; turn--) {
            check(watches.remove(), now);
        }
        if (left > 0) {
            // Scheduled, not executed: executed tasks run before the loop polls its other connections.
            if (!guard.run(() -> loop.schedule(this::checkNext, 0, TimeUnit.NANOSECONDS))) {
                left = 0; // the next step takes the rest
            }
        }
    }

    /** Checks one connection; if the check fails, closes it. */
    private void check(ConnectionWatch watch, long now) {
        left--;
        boolean checked = guard.run(() -> {
            switch (watch.check(now)) {
                case DONE -> watches.add(watch);
                case MORE -> {
                    watches.addFirst(watch);
                    left++;
                }
                case OVER -> { }
            }
        });
        if (!checked) {
            guard.run(watch::giveUp);
        }
    }
}
