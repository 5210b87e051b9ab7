package io.sluice.handlers.websocket;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Sends published messages to the sockets of one event loop, in slices: between two of them the loop reads
 * and answers whatever else has arrived. Topics take turns, so that a small one does not wait for a large
 * one. Belongs on its loop, but for {@link #accept}.
 */
final class FanOut {
    /** Sends of a slice; {@link LoopSubscribers} counts a large one as several. About half a millisecond. */
    private static final int SLICE = 64;

    private final EventExecutor loop;
    private final ArrayDeque<LoopSubscribers> ready = new ArrayDeque<>();
    private boolean scheduled;

    FanOut(EventExecutor loop) {
        this.loop = loop;
    }

    /**
     * Takes a delivery from any thread; from one thread at a time for a topic. On the loop itself, too, it is
     * queued: those before it may be queued still.
     */
    void accept(LoopSubscribers group, Delivery delivery) {
        delivery.hold();
        try {
            loop.execute(() -> enqueue(group, delivery));
        } catch (RejectedExecutionException e) {
            delivery.done(); // the loop has ended, and its sockets with it
        }
    }

    private void enqueue(LoopSubscribers group, Delivery delivery) {
        if (group.enqueue(delivery)) {
            ready.add(group);
            scheduleSlice();
        }
    }

    /**
     * A task that is executed runs before the loop looks at its sockets again, and so would all slices. One
     * that is scheduled, even for now, is looked for only after that.
     */
    private void scheduleSlice() {
        if (!scheduled) {
            scheduled = true;
            loop.schedule(this::sendSlice, 0, TimeUnit.NANOSECONDS);
        }
    }

    private void sendSlice() {
        try {
            int sends = SLICE;
            while (sends > 0 && !ready.isEmpty()) {
                LoopSubscribers group = ready.peek();
                sends = group.send(sends);
                ready.remove();
                if (group.hasMore()) {
                    ready.add(group);
                }
            }
        } finally {
            scheduled = false;
            if (!ready.isEmpty()) {
                scheduleSlice();
            }
        }
    }
}
