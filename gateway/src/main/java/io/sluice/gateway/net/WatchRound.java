package io.sluice.gateway.net;

import io.netty.channel.EventLoop;
import io.sluice.offload.Guard;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes round the connections of one event loop once a second, a tenth of them at a time, so that 10,000
 * connections hold it up no more than a few requests do. Nor do thousands that are cut off at the same
 * time: the loop does other things between a few of them and the next. A connection whose watch fails is
 * closed, and the round goes on. Belongs on its loop.
 */
final class WatchRound {
    private static final Logger log = LoggerFactory.getLogger(WatchRound.class);
    private static final int STEPS = 10;
    /** Looks: what so many cut off, connections or streams of theirs, takes two milliseconds at most. */
    private static final int TURN = 8;

    private final EventLoop loop;
    private final Guard guard = new Guard(log, "the watch over a connection failed; it is closed");
    private final ArrayDeque<ConnectionWatch> watches = new ArrayDeque<>();
    /** Of this step, those that have not been looked at. */
    private int left;

    /** Of no connections yet. */
    WatchRound(EventLoop loop) {
        this.loop = loop;
    }

    void add(ConnectionWatch watch) {
        watches.add(watch);
    }

    /** Ten times a second. */
    void step() {
        if (left == 0) {
            left = Math.ceilDiv(watches.size(), STEPS);
            look();
        }
    }

    private void look() {
        long now = loop.ticker().nanoTime();
        for (int turn = TURN; turn > 0 && left > 0; turn--) {
            lookAt(watches.remove(), now);
        }
        if (left > 0) {
            // Scheduled: what is executed would run before the loop looks at its other connections.
            if (!guard.run(() -> loop.schedule(this::look, 0, TimeUnit.NANOSECONDS))) {
                left = 0; // the next step takes the rest
            }
        }
    }

    /** A connection that nobody can watch is closed. */
    private void lookAt(ConnectionWatch watch, long now) {
        left--;
        boolean looked = guard.run(() -> {
            switch (watch.look(now)) {
                case DONE -> watches.add(watch);
                case MORE -> {
                    watches.addFirst(watch);
                    left++;
                }
                case OVER -> { }
            }
        });
        if (!looked) {
            guard.run(watch::giveUp);
        }
    }
}
