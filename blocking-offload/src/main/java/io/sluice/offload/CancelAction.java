package io.sluice.offload;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Ends a blocking operation: runs at most once, on a thread of its own, and never after it is closed. */
public final class CancelAction implements WorkScope.Registration {
    /**
     * Platform threads, because virtual ones would wait behind tasks that compute on all processors. The
     * first thread is kept, so that a cancellation when threads are scarce does not have to start one.
     */
    public static final Executor THREADS = new ThreadPoolExecutor(1, Integer.MAX_VALUE, 60, TimeUnit.SECONDS,
            new SynchronousQueue<>(), Thread.ofPlatform().name("sluice-cancel-", 1).daemon().factory());

    private final Runnable action;
    private @Nullable CompletableFuture<Void> started;
    private boolean closed;

    CancelAction(Runnable action) {
        this.action = action;
    }

    synchronized void start() {
        if (!closed && started == null) {
            started = CompletableFuture.runAsync(action, THREADS);
        }
    }

    @Override
    public void close() {
        CompletableFuture<Void> running;
        synchronized (this) {
            closed = true;
            running = started;
        }
        if (running != null) {
            running.exceptionally(_ -> null).join();
        }
    }
}
