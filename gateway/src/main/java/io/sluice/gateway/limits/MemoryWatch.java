package io.sluice.gateway.limits;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks every now and then whether memory is short, and tells those who can do something about it. */
public final class MemoryWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(MemoryWatch.class);
    private static final long PERIOD_MILLIS = 100;
    /** While it is short, it is said again so often: who was busy may be idle by now. */
    private static final int PERIODS = 10;

    private final EventExecutorGroup workers;
    private final Consumer<Boolean> told;
    private final RareWarning warnings = new RareWarning();
    private final Future<?> timer;
    private boolean before;
    private int periods;

    /**
     * Begins to watch.
     *
     * @param watcher runs the timer
     * @param workers that keep memory for themselves
     * @param told whether it is short now; again and again while it is, and once when it is not any more
     */
    public MemoryWatch(EventExecutor watcher, EventExecutorGroup workers, Consumer<Boolean> told) {
        this.workers = workers;
        this.told = told;
        timer = watcher.scheduleWithFixedDelay(this::look, PERIOD_MILLIS, PERIOD_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    private void look() {
        boolean isShort = DirectMemory.isShort();
        if (!isShort && DirectMemory.wasShort()) {
            told.accept(false);
        }
        if (isShort != before || ++periods == PERIODS) {
            periods = 0;
            DirectMemory.trim(workers);
            if (isShort) {
                warn();
                told.accept(true);
            }
        }
        before = isShort;
    }

    private void warn() {
        if (warnings.isDue()) {
            log.warn("memory is short: {} MiB of direct memory are reserved, of at most {} "
                    + "(-XX:MaxDirectMemorySize): requests get 503, idle connections are closed",
                    DirectMemory.reserved() >> 20, DirectMemory.limit() >> 20);
        }
    }

    @Override
    public void close() {
        timer.cancel(false);
    }
}
