package io.sluice.offload;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Ends a blocking operation: runs at most once, on a thread of its own, and never after it is closed. */
public final class CancelAction implements WorkScope.Registration {
    /**
     * Platform threads, because virtual ones would wait behind tasks that compute on all processors. The
     * first thread is kept, so that a cancellation when threads are scarce does not have to start one.
     */
    public static final Executor THREADS = new ThreadPoolExecutor(1, Integer.MAX_VALUE, 60, TimeUnit.SECONDS,
            new SynchronousQueue<>(), Thread.ofPlatform().name("sluice-cancel-", 1).daemon().factory());

    /** Starts those threads, in place of event loops: each start waits until the thread runs. */
    private static final ScheduledExecutorService STARTER = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("sluice-canceller").daemon().factory());
    /** The pause before another attempt where no thread could be started. */
    private static final long RETRY_MILLIS = 100;
    private static final Guard GUARD = new Guard(LoggerFactory.getLogger(CancelAction.class),
            "the work of a task could not be cancelled");

    static { // now, as none may be left when the first one is needed
        GUARD.run(() -> STARTER.execute(() -> THREADS.execute(() -> { })));
    }

    private final Runnable action;
    private final Executor threads;
    private @Nullable CompletableFuture<Void> started;
    private boolean closed;

    CancelAction(Runnable action) {
        this(action, THREADS);
    }

    CancelAction(Runnable action, Executor threads) {
        this.action = action;
        this.threads = threads;
    }

    synchronized void start() {
        if (!closed && started == null) {
            var running = new CompletableFuture<Void>();
            STARTER.execute(() -> startThread(running));
            started = running;
        }
    }

    /** Tries again while the process is short of threads: the work would go on without bound. */
    private void startThread(CompletableFuture<Void> running) {
        boolean starts = GUARD.run(() -> threads.execute(() -> {
            GUARD.run(action);
            running.complete(null);
        }));
        if (!starts && !GUARD.run(() -> STARTER.schedule(() -> startAgain(running), RETRY_MILLIS,
                TimeUnit.MILLISECONDS))) {
            running.complete(null);
        }
    }

    private void startAgain(CompletableFuture<Void> running) {
        if (isClosed()) {
            running.complete(null);
        } else {
            startThread(running);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        CompletableFuture<Void> running;
        synchronized (this) {
            closed = true;
            running = started;
        }
        if (running != null) {
            running.join();
        }
    }
}
