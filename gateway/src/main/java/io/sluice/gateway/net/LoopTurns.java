package io.sluice.gateway.net;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * Work of an event loop that can go on later, and is done in turns. Between two turns the loop reads and
 * answers whatever else has arrived, however many of its connections have work here. Belongs on its loop.
 */
public final class LoopTurns {
    private static final long LENGTH_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private static final FastThreadLocal<LoopTurns> LOCAL = new FastThreadLocal<>() {
        @Override
        protected LoopTurns initialValue() {
            return new LoopTurns();
        }
    };

    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private boolean scheduled;

    private LoopTurns() {
    }

    /** Returns the turns of the event loop that runs the caller. */
    public static LoopTurns ofThisLoop() {
        return LOCAL.get();
    }

    /** Tells whether work has taken the time of a turn: half a millisecond. */
    public static boolean isOver(long begunNanos) {
        return System.nanoTime() - begunNanos >= LENGTH_NANOS;
    }

    /**
     * Does work in a later turn, behind the work that waits already.
     *
     * @param loop on which this is called
     */
    public void add(EventExecutor loop, Runnable work) {
        waiting.add(work);
        if (!scheduled) {
            schedule(loop);
        }
    }

    /** Scheduled, if only for now: what is executed runs before the loop looks at its connections again. */
    private void schedule(EventExecutor loop) {
        scheduled = true;
        loop.schedule(() -> take(loop), 0, TimeUnit.NANOSECONDS);
    }

    /** Work that is added meanwhile waits for the next turn. */
    private void take(EventExecutor loop) {
        long begun = System.nanoTime();
        int left = waiting.size();
        try {
            do {
                waiting.remove().run();
                left--;
            } while (left > 0 && !isOver(begun));
        } finally {
            scheduled = false;
            if (!waiting.isEmpty()) {
                schedule(loop);
            }
        }
    }
}
