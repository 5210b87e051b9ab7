package io.sluice.offload;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.PoolConfig;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * No offload at all: work runs on the thread that asks for it, which serves nobody meanwhile, and cannot
 * hear of a cancellation or of a deadline either. For experiments that show what this costs.
 */
final class EventLoopOffload implements Offload {
    private static final Logger log = LoggerFactory.getLogger(EventLoopOffload.class);

    private final PoolConfig config;
    private final PoolObserver observer;
    private final Ticker clock;
    /** Guards what follows, and is held for as short. */
    private final Object lock = new Object();
    private final RunTimes runTimes = new RunTimes();
    private final LoadWindow load;
    private int busy;

    EventLoopOffload(String name, PoolConfig config, PoolObserver observer, Ticker clock) {
        this.config = config;
        this.observer = new ObserverGuard(observer);
        this.clock = clock;
        load = new LoadWindow(clock.nanoTime());
        log.warn("offload pool {} has execution = event-loop: its work BLOCKS the threads that serve "
                + "connections; this is for experiments only", name);
    }

    @Override
    public <T> Future<T> submit(ClientNetwork client, Deadline deadline, EventExecutor home, Work<T> work) {
        Promise<T> result = home.newPromise();
        if (home.inEventLoop()) {
            run(result, deadline, work);
        } else {
            home.execute(() -> run(result, deadline, work));
        }
        return result;
    }

    private <T> void run(Promise<T> result, Deadline deadline, Work<T> work) {
        if (!result.setUncancellable()) {
            return;
        }
        long start = changeBusy(1, true);
        observer.started(0);
        try {
            result.setSuccess(work.run(new Scope(deadline)));
        } catch (Throwable e) {
            result.setFailure(e);
        }
        long ran = changeBusy(-1, false) - start;
        synchronized (lock) {
            runTimes.completed(ran);
        }
        observer.finished(ran);
    }

    private long changeBusy(int by, boolean arrives) {
        synchronized (lock) {
            long now = clock.nanoTime();
            busy += by;
            if (arrives) {
                load.arrived(now);
            }
            load.busy(now, busy);
            return now;
        }
    }

    /** Whoever could cancel is kept waiting by the work itself. */
    private record Scope(Deadline deadline) implements WorkScope {
        @Override
        public boolean isAbandoned() {
            return false;
        }

        @Override
        public long clientGraceNanos() {
            return 0;
        }

        @Override
        public Registration onCancel(Runnable action) {
            return () -> { };
        }
    }

    @Override
    public OffloadStats stats() {
        synchronized (lock) {
            long now = clock.nanoTime();
            return new OffloadStats(config.workers(), busy, 0, Duration.ofNanos((long) runTimes.mean()),
                    load.arrivals(now), load.meanBusy(now));
        }
    }

    @Override
    public void close() {
        // Its threads are others'.
    }
}
