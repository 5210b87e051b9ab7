package io.sluice.gateway.limits;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.topic.KeptMemory;
import io.sluice.offload.Guard;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * Checks the kept messages of topics every {@value #PERIOD_MILLIS} ms: those that have reached their age are
 * dropped, and others give way before requests are refused.
 */
public final class KeptMemoryWatch implements AutoCloseable {
    private static final long PERIOD_MILLIS = 100;

    private final DirectMemory memory;
    private final Runnable dropOld;
    private final Runnable giveWay;
    private final Guard guard = new Guard(LoggerFactory.getLogger(KeptMemoryWatch.class),
            "kept messages could not be checked; there will be other checks");
    private final Future<?> timer;

    /** Starts the checks of this process, on a timer of the given executor. */
    public KeptMemoryWatch(EventExecutor watcher) {
        this(DirectMemory.ofProcess(), watcher, KeptMemory.ofProcess()::dropOld,
                KeptMemory.ofProcess()::giveWay);
    }

    KeptMemoryWatch(DirectMemory memory, EventExecutor watcher, Runnable dropOld, Runnable giveWay) {
        this.memory = memory;
        this.dropOld = dropOld;
        this.giveWay = giveWay;
        timer = watcher.scheduleWithFixedDelay(() -> guard.run(this::check), PERIOD_MILLIS, PERIOD_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    private void check() {
        dropOld.run();
        if (memory.isRunningOut() || isScarce() || HeapMemory.isShort()) {
            giveWay.run();
        }
    }

    /** Returns whether a little more would make memory short: see {@link DirectMemory#isRunningOut()}. */
    private boolean isScarce() {
        return memory.reserved() >= memory.limit() / 10 * 7 && memory.used() >= memory.limit() / 20 * 3;
    }

    @Override
    public void close() {
        timer.cancel(false);
    }
}
