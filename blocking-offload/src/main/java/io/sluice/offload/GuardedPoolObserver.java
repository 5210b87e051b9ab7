package io.sluice.offload;

import org.slf4j.LoggerFactory;

/** Logs exceptions of a pool's observer, which must not throw, so that they do not end a worker. */
record GuardedPoolObserver(PoolObserver observer) implements PoolObserver {
    private static final Guard GUARD =
            new Guard(LoggerFactory.getLogger(GuardedPoolObserver.class), "the observer of a pool threw");

    @Override
    public void refused(OffloadException.Refused.Reason reason) {
        GUARD.run(() -> observer.refused(reason));
    }

    @Override
    public void started(long queuedNanos) {
        GUARD.run(() -> observer.started(queuedNanos));
    }

    @Override
    public void finished(long ranNanos) {
        GUARD.run(() -> observer.finished(ranNanos));
    }

    @Override
    public void cancelled(boolean running) {
        GUARD.run(() -> observer.cancelled(running));
    }
}
