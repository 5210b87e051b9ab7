package io.sluice.gateway.websocket;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.TimeUnit;

/**
 * How much a socket may inflate before others on its event loop have their turn: a few bytes may become many,
 * and one read of them would keep the loop busy for long.
 */
final class InflatingTurn {
    /** In bytes: about half a millisecond. */
    private static final int LENGTH = 256 * 1024;

    private final EventExecutor executor;
    private final Runnable next;
    private long inflated;

    /**
     * A turn that begins.
     *
     * @param next is called when the next one begins
     */
    InflatingTurn(EventExecutor executor, Runnable next) {
        this.executor = executor;
        this.next = next;
    }

    boolean isOver() {
        return inflated >= LENGTH;
    }

    /** So many bytes were inflated. */
    void count(int bytes) {
        boolean before = isOver();
        inflated += bytes;
        if (!before && isOver()) {
            // Scheduled: what is executed would run before the loop looks at its other connections.
            executor.schedule(this::begin, 0, TimeUnit.NANOSECONDS);
        }
    }

    private void begin() {
        inflated = 0;
        next.run();
    }
}
