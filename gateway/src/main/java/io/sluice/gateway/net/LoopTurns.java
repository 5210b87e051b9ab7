package io.sluice.gateway.net;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work of an event loop that is done in turns of 0.5 ms. Between two turns the loop serves its connections,
 * however many of them have work here. Confined to its loop.
 */
public final class LoopTurns {
    private static final Logger log = LoggerFactory.getLogger(LoopTurns.class);
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

    /**
     * Returns whether work has used up the time of a turn, 0.5 ms.
     *
     * @param begunNanos when it began, by {@link System#nanoTime}
     */
    public static boolean isOver(long begunNanos) {
        return System.nanoTime() - begunNanos >= LENGTH_NANOS;
    }

    /**
     * Adds work to a later turn, behind the work that already waits.
     *
     * @param loop the event loop, which runs the caller
     */
    public void add(EventExecutor loop, Runnable work) {
        waiting.add(work);
        if (!scheduled) {
            schedule(loop);
        }
    }

    /**
     * Schedules with a delay of 0 rather than executes: tasks that are executed run before the loop polls its
     * connections again. A loop that ends cancels what is scheduled; then all work is done at once.
     */
    private void schedule(EventExecutor loop) {
        scheduled = true;
        loop.schedule(() -> take(loop), 0, TimeUnit.NANOSECONDS).addListener(turn -> {
            if (turn.isCancelled()) {
                takeAll();
            }
        });
    }

    private void takeAll() {
        while (!waiting.isEmpty()) {
            try {
                waiting.remove().run();
            } catch (Throwable e) {
                log.warn("work of an event loop that ends failed", e);
            }
        }
    }

    /** Runs one turn. Work that is added meanwhile waits for the next one. */
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
