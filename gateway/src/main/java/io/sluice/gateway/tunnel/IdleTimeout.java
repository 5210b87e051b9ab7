package io.sluice.gateway.tunnel;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Closes a tunnel that has transferred no byte for its idle timeout; resets it if that does not end it within
 * the same time again. On the event loop.
 */
final class IdleTimeout implements Runnable {
    private final TunnelHandler tunnel;
    private final EventExecutor loop;
    private final long limitNanos;
    private long movedNanos;
    private long taken;
    private Future<?> timer;

    IdleTimeout(TunnelHandler tunnel, Duration limit) {
        this.tunnel = tunnel;
        loop = tunnel.eventLoop();
        limitNanos = limit.toNanos();
        moved();
        checkAgainIn(limitNanos);
    }

    /** Records that bytes were received or sent. */
    void moved() {
        movedNanos = loop.ticker().nanoTime();
    }

    @Override
    public void run() {
        long takenBefore = taken;
        taken = tunnel.taken();
        if (taken != takenBefore && !tunnel.isBelowWaterMark()) {
            moved(); // bytes that could be sent at once were recorded when written
        }
        long left = limitNanos - (loop.ticker().nanoTime() - movedNanos);
        if (left > 0) {
            checkAgainIn(left);
        } else if (tunnel.isClosing()) {
            tunnel.reset();
        } else {
            tunnel.close();
            checkAgainIn(limitNanos);
        }
    }

    private void checkAgainIn(long nanos) {
        timer = loop.schedule(this, nanos, TimeUnit.NANOSECONDS);
    }

    void stop() {
        timer.cancel(false);
    }
}
