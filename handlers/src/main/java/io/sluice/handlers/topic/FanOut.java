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
    private static final long SLICE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private final EventExecutor loop;
    private final ArrayDeque<Work> ready = new ArrayDeque<>();
    private boolean scheduled;

    /** Work that shares an event loop with other work, slice by slice. */
    interface Work {

        /**
         * Sends until nothing is left or the slice {@linkplain FanOut#isOver is over}.
         *
         * @param begunNanos when the slice began, by {@link System#nanoTime}
         */
        void send(long begunNanos);

        boolean hasMore();
    }

    FanOut(EventExecutor loop) {
        this.loop = loop;
    }

    /**
     * Returns whether a slice has used up its time, 0.5 ms: a send takes some microseconds, or a millisecond
     * if it encodes, compresses or copies a large message.
     */
    static boolean isOver(long begunNanos) {
        return System.nanoTime() - begunNanos >= SLICE_NANOS;
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
            long begun = System.nanoTime();
            do {
                Work work = ready.element();
                work.send(begun);
                ready.remove();
                if (work.hasMore()) {
                    ready.add(work);
                }
            } while (!ready.isEmpty() && !isOver(begun));
        } finally {
            scheduled = false;
            if (!ready.isEmpty()) {
                scheduleSlice();
            }
        }
    }
}
