package io.sluice.handlers.upstream.http2;

import io.netty.util.concurrent.EventExecutor;

/**
 * Sends what the streams of a connection have written in one turn of the event loop in one write. A large
 * body is sent earlier, as only then it is known whether the endpoint reads on. Confined to the event loop.
 */
final class FrameFlush {
    private static final int MAX_UNSENT = 16 * 1024;

    private final EventExecutor executor;
    private final Runnable flush;
    private boolean scheduled;
    /** The bytes of bodies since the last flush. */
    private int unsent;

    FrameFlush(EventExecutor executor, Runnable flush) {
        this.executor = executor;
        this.flush = flush;
    }

    /** Flushes in this turn of the event loop. */
    void later() {
        if (!scheduled) {
            scheduled = true;
            executor.execute(() -> {
                scheduled = false;
                now();
            });
        }
    }

    /** Notes a piece of a body. */
    void wrote(int bytes) {
        unsent += bytes;
        if (unsent > MAX_UNSENT) {
            now();
        }
    }

    private void now() {
        unsent = 0;
        flush.run();
    }
}
