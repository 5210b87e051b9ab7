package io.sluice.offload;

import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.MDC;

/** One piece of work on its way through a pool: the promise of its result, and the scope it runs in. */
final class OffloadTask<T> extends DefaultPromise<T> implements WorkScope {
    private final OffloadPool pool;
    private final Deadline deadline;
    private final Work<T> work;
    private final long submittedNanos = System.nanoTime();
    /** The submitter's, so that what the work logs can be told from others' work. */
    private final Map<String, String> loggingContext = MDC.getCopyOfContextMap();

    /** Guarded by itself being the monitor: the cancel action, and whether one is running. */
    private final Object actionLock = new Object();
    private Runnable action;
    private boolean actionRuns;
    private boolean ended;

    private volatile boolean running;

    OffloadTask(OffloadPool pool, Deadline deadline, EventExecutor home, Work<T> work) {
        super(home);
        this.pool = pool;
        this.deadline = deadline;
        this.work = work;
    }

    /** Ends the task at its deadline, if it is not done by then; at once, if its home has shut down. */
    void watchDeadline() {
        try {
            Future<?> timer = executor().schedule(this::expire, deadline.remainingNanos(),
                    TimeUnit.NANOSECONDS);
            addListener(done -> timer.cancel(false));
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    private void expire() {
        fail(new OffloadException.DeadlineExceeded(pool.name(), running));
    }

    private void fail(Throwable cause) {
        if (tryFailure(cause)) {
            end();
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            end();
        }
        return cancelled;
    }

    private void end() {
        pool.abandoned(this, running);
        synchronized (actionLock) {
            ended = true;
            startAction();
        }
    }

    long queuedNanos() {
        return System.nanoTime() - submittedNanos;
    }

    /**
     * Called by a worker.
     *
     * @return whether the work was begun; not where nobody waits for it any more
     */
    boolean run() {
        running = true;
        if (isDone()) {
            return false;
        }
        if (deadline.expired()) {
            running = false;
            expire();
            return false;
        }
        try {
            MDC.setContextMap(loggingContext == null ? Map.of() : loggingContext);
            T result = work.run(this);
            if (!trySuccess(result)) {
                ReferenceCountUtil.safeRelease(result);
            }
        } catch (Throwable e) {
            tryFailure(e);
        } finally {
            MDC.clear();
            Thread.interrupted(); // was meant for this work, not for the worker's next
        }
        return true;
    }

    @Override
    public Deadline deadline() {
        return deadline;
    }

    @Override
    public Registration onCancel(Runnable toRun) {
        synchronized (actionLock) {
            action = toRun;
            if (ended) {
                startAction();
            }
        }
        return this::awaitAction;
    }

    private void startAction() {
        if (action == null) {
            return;
        }
        Runnable toRun = action;
        action = null;
        actionRuns = true;
        Thread.ofVirtual().name("sluice-cancel").start(() -> {
            try {
                toRun.run();
            } finally {
                synchronized (actionLock) {
                    actionRuns = false;
                    actionLock.notifyAll();
                }
            }
        });
    }

    private void awaitAction() {
        boolean interrupted = false;
        synchronized (actionLock) {
            action = null;
            while (actionRuns) {
                try {
                    actionLock.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
