package io.sluice.gateway.limits;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import io.sluice.offload.Guard;
import io.sluice.offload.RareWarning;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks every {@value #PERIOD_MILLIS} ms whether direct memory or the heap is short, and notifies the
 * connections.
 */
public final class MemoryWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(MemoryWatch.class);
    private static final long PERIOD_MILLIS = 100;
    /**
     * Periods after which the notification is repeated while memory is short: connections that were busy
     * before may be idle by now.
     */
    private static final int PERIODS = 10;

    private final DirectMemory memory;
    private final HeapMemory heap;
    private final Iterable<EventExecutor> workers;
    private final Consumer<Boolean> onShort;
    private final Runnable onBack;
    private final Guard guard = new Guard(log, "a look at memory failed; there will be others");
    private final RareWarning warnings = new RareWarning();
    private final Future<?> timer;
    private boolean before;
    private boolean directBefore;
    private int periods;
    /** Periods since connections were last told that they may go on. */
    private int sinceBack;

    /**
     * Starts the checks.
     *
     * @param watcher runs the timer
     * @param workers the event loops, whose caches are trimmed
     * @param onShort runs repeatedly while memory is short; gets whether the heap is
     * @param onBack runs once when it is no longer, and at most once a second when a client has room in its
     *     share again
     */
    public MemoryWatch(EventExecutor watcher, EventExecutorGroup workers, Consumer<Boolean> onShort,
                       Runnable onBack) {
        this(DirectMemory.ofProcess(), HeapMemory.ofProcess(), watcher, workers, onShort, onBack);
    }

    MemoryWatch(DirectMemory memory, HeapMemory heap, EventExecutor watcher,
                Iterable<EventExecutor> workers, Consumer<Boolean> onShort, Runnable onBack) {
        this.memory = memory;
        this.heap = heap;
        this.workers = workers;
        this.onShort = onShort;
        this.onBack = onBack;
        timer = watcher.scheduleWithFixedDelay(() -> guard.run(this::check), PERIOD_MILLIS, PERIOD_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    private void check() {
        boolean heapIsShort = heap.check();
        boolean directIsShort = memory.isRunningOut();
        boolean isShort = directIsShort || heapIsShort;
        boolean directWasShort = memory.wasShort(); // also for less than a period: some request was rejected
        if (directWasShort || heapIsShort) {
            warn(directWasShort);
        }
        // Connections wait for direct memory only, which can be back while the heap is short, or for their
        // client's share of it.
        boolean freed = !directIsShort && sinceBack >= PERIODS && UnsentMemory.takeFreed();
        sinceBack++;
        if (!directIsShort && (directWasShort || directBefore) || !isShort && before || freed) {
            sinceBack = 0;
            onBack.run();
        }
        directBefore = directIsShort;
        if (isShort != before || ++periods == PERIODS) {
            periods = 0;
            guard.run(() -> memory.trim(workers));
            if (isShort) {
                onShort.accept(heapIsShort);
            }
        }
        before = isShort;
    }

    private void warn(boolean direct) {
        if (!warnings.tryTake()) {
            return;
        }
        if (direct) {
            log.warn("memory is short: {} MiB of direct memory are reserved, of at most {} "
                    + "(-XX:MaxDirectMemorySize): requests get 503",
                    memory.reserved() >> 20, memory.limit() >> 20);
        } else {
            log.warn("memory is short: {} of the old generation of the heap are in use after a collection "
                    + "(-Xmx): requests get 503", heap.figures());
        }
    }

    @Override
    public void close() {
        timer.cancel(false);
    }
}
