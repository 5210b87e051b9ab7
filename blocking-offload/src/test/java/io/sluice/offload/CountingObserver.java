package io.sluice.offload;

import io.sluice.offload.OffloadException.Refused.Reason;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.MDC;

/** A pool observer that counts the events. */
final class CountingObserver implements PoolObserver {
    final List<Reason> refused = new CopyOnWriteArrayList<>();
    final AtomicInteger started = new AtomicInteger();
    final AtomicInteger finished = new AtomicInteger();
    final AtomicInteger cancelledInQueue = new AtomicInteger();
    final AtomicInteger cancelledAtWork = new AtomicInteger();
    /** Logging contexts (MDC) that were not empty when the work had ended. */
    final List<Map<String, String>> leftContexts = new CopyOnWriteArrayList<>();

    @Override
    public void refused(Reason reason) {
        refused.add(reason);
    }

    @Override
    public void started(long queuedNanos) {
        started.incrementAndGet();
    }

    @Override
    public void finished(long ranNanos) {
        Map<String, String> context = MDC.getCopyOfContextMap();
        if (context != null && !context.isEmpty()) {
            leftContexts.add(context);
        }
        finished.incrementAndGet();
    }

    @Override
    public void cancelled(boolean running) {
        (running ? cancelledAtWork : cancelledInQueue).incrementAndGet();
    }

    int cancelled() {
        return cancelledInQueue.get() + cancelledAtWork.get();
    }
}
