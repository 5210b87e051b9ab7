package io.sluice.offload;

import org.slf4j.LoggerFactory;

/** Keeps what a listener throws, which it must not, from costing a pool a worker. */
record ListenerGuard(OffloadListener listener) implements OffloadListener {
    private static final Guard GUARD =
            new Guard(LoggerFactory.getLogger(ListenerGuard.class), "a listener of an offload pool threw");

    @Override
    public void refused(OffloadException.Refused.Reason reason) {
        GUARD.run(() -> listener.refused(reason));
    }

    @Override
    public void started(long queuedNanos) {
        GUARD.run(() -> listener.started(queuedNanos));
    }

    @Override
    public void finished(long ranNanos) {
        GUARD.run(() -> listener.finished(ranNanos));
    }

    @Override
    public void cancelled(boolean running) {
        GUARD.run(() -> listener.cancelled(running));
    }
}
