package io.sluice.offload;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what a listener throws, which it must not, from costing a pool a worker. */
record ListenerGuard(OffloadListener listener) implements OffloadListener {
    private static final Logger log = LoggerFactory.getLogger(ListenerGuard.class);

    @Override
    public void refused(OffloadException.Refused.Reason reason) {
        guard(() -> listener.refused(reason));
    }

    @Override
    public void started(long queuedNanos) {
        guard(() -> listener.started(queuedNanos));
    }

    @Override
    public void finished(long ranNanos) {
        guard(() -> listener.finished(ranNanos));
    }

    @Override
    public void cancelled(boolean running) {
        guard(() -> listener.cancelled(running));
    }

    private static void guard(Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            log.warn("a listener of an offload pool threw", e);
        }
    }
}
