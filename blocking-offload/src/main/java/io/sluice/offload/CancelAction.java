package io.sluice.offload;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** What ends something that blocks: run at most once, on a thread of its own, and not once it is closed. */
public final class CancelAction implements WorkScope.Registration {
    /**
     * Platform threads: virtual ones would wait behind whatever computes on all processors. The first stays,
     * so that the next time to cancel, which may be a bad one, needs no thread to be started.
     */
    public static final Executor THREADS = new ThreadPoolExecutor(1, Integer.MAX_VALUE, 60, TimeUnit.SECONDS,
            new SynchronousQueue<>(), Thread.ofPlatform().name("sluice-cancel-", 1).daemon().factory());

    private final Runnable action;
    private CompletableFuture<Void> started;
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
