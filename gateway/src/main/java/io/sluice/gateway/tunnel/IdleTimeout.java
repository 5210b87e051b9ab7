package io.sluice.gateway.tunnel;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Closes a tunnel through which no byte has gone for too long; resets it where that does not end it in as
 * long.
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
        lookAgainIn(limitNanos);
    }

    /** A byte has come or gone. */
    void moved() {
        movedNanos = loop.ticker().nanoTime();
    }

    @Override
    public void run() {
        long takenBefore = taken;
        taken = tunnel.taken();
        if (taken != takenBefore && !tunnel.isWritable()) {
            moved(); // what need not wait has moved when it was written
        }
        long left = limitNanos - (loop.ticker().nanoTime() - movedNanos);
        if (left > 0) {
            lookAgainIn(left);
        } else if (tunnel.isClosing()) {
            tunnel.reset();
        } else {
            tunnel.close();
            lookAgainIn(limitNanos);
        }
    }

    private void lookAgainIn(long nanos) {
        timer = loop.schedule(this, nanos, TimeUnit.NANOSECONDS);
    }

    void stop() {
        timer.cancel(false);
    }
}
