package io.sluice.handlers.topic;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Delivers published messages to the subscribers of one event loop, in slices, between which the loop handles
 * other events. Topics take turns, so that a small one does not wait for a large one. Confined to its loop,
 * but for {@link #accept}.
 */
final class FanOut {
    /** The sends of a slice, about 0.5 ms; {@link LoopSubscribers} counts a large message as several. */
    static final int SLICE = 64;

    private final EventExecutor loop;
    private final ArrayDeque<Work> ready = new ArrayDeque<>();
    private boolean scheduled;

    /** Work that shares an event loop with other work, slice by slice. */
    interface Work {

        /**
         * Sends until nothing is left, or about the given number of sends are made. Returns the number of
         * sends that were not used.
         */
        int send(int sends);

        boolean hasMore();
    }

    FanOut(EventExecutor loop) {
        this.loop = loop;
    }

    /**
     * Accepts a delivery on any thread, but for a topic on one thread at a time. On the loop itself it is
     * queued, too, since earlier deliveries may still be queued.
     */
    void accept(LoopSubscribers group, Delivery delivery) {
        delivery.hold();
        try {
            loop.execute(() -> enqueue(group, delivery));
        } catch (RejectedExecutionException e) {
            delivery.done(); // the loop has ended, and so have its sockets
        }
    }

    private void enqueue(LoopSubscribers group, Delivery delivery) {
        if (group.enqueue(delivery)) {
            add(group);
        }
    }

    /** Adds work, which is made on the loop. Any thread. */
    void add(Supplier<Work> work) {
        try {
            loop.execute(() -> {
                Work made = work.get();
                if (made.hasMore()) {
                    add(made);
                }
            });
        } catch (RejectedExecutionException _) {
            // The loop has ended, and so have its sockets.
        }
    }

    /** Adds work that has more to send, and is not here yet. On the loop. */
    void add(Work work) {
        ready.add(work);
        scheduleSlice();
    }

    /**
     * Schedules the next slice. Executed tasks run before the loop selects its sockets again, so all slices
     * would; scheduled ones, even for now, run after that.
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
                Work work = ready.peek();
                sends = work.send(sends);
                ready.remove();
                if (work.hasMore()) {
                    ready.add(work);
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
