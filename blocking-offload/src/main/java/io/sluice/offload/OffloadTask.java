package io.sluice.offload;

import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** A task of a pool: the promise of its result, and the scope in which it runs. */
final class OffloadTask<T extends @Nullable Object> extends DefaultPromise<T>
        implements PermitRequest, WorkScope {
    private static final Guard GUARD = new Guard(LoggerFactory.getLogger(OffloadTask.class),
            "the work of a task could not be cancelled");

    private final OffloadPool pool;
    /** Null for work of the gateway itself. */
    private final @Nullable ClientNetwork client;
    private final Deadline deadline;
    private final Work<T> work;
    private final long submittedNanos;
    /** The submitter's logging context, so that log lines of the work have its request. */
    private final Map<String, String> loggingContext = MDC.getCopyOfContextMap();

    /** The registered actions. Their monitor also guards {@link #ended}. */
    private final List<CancelAction> cancelActions = new ArrayList<>(2);
    private boolean ended;

    private volatile boolean running;
    /** Guarded by the monitor of the pool's allocator, like the next two. */
    private int ahead;
    private long queuedSince;
    @SuppressWarnings("NullAway.Init") // set with the permit
    private OffloadPool.Worker worker;

    OffloadTask(OffloadPool pool, @Nullable ClientNetwork client, Deadline deadline, EventExecutor home,
                Work<T> work) {
        super(home);
        this.pool = pool;
        this.client = client;
        this.deadline = deadline;
        submittedNanos = deadline.clock().nanoTime();
        this.work = work;
    }

    /**
     * Ends the task at its deadline if it is not done by then; at once if its home executor has shut down.
     */
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
        fail(new OffloadException.DeadlineExceeded(pool.toString(), running));
    }

    private void fail(Throwable cause) {
        if (tryFailure(cause)) {
            end();
        }
    }

    @Override
    public void refused(OffloadException.Refused reason) {
        tryFailure(reason);
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
        synchronized (cancelActions) {
            ended = true;
            cancelActions.forEach(action -> GUARD.run(action::start));
        }
    }

    @Override
    public @Nullable ClientNetwork client() {
        return client;
    }

    @Override
    public void queued(int tasksAhead) {
        ahead = tasksAhead;
        queuedSince = deadline.clock().nanoTime();
    }

    @Override
    public int ahead() {
        return ahead;
    }

    @Override
    public long queuedNanos() {
        return deadline.clock().nanoTime() - queuedSince;
    }

    @Override
    public long submittedNanos() {
        return submittedNanos;
    }

    @Override
    public void granted(long nowNanos) {
        worker = pool.assign(this);
    }

    OffloadPool.Worker worker() {
        return worker;
    }

    /** Runs the work on a worker's thread. */
    Outcome run() {
        running = true;
        if (isDone()) {
            return Outcome.NOT_BEGUN;
        }
        if (deadline.expired()) {
            running = false;
            expire();
            return Outcome.NOT_BEGUN;
        }
        boolean inTime;
        try {
            MDC.setContextMap(loggingContext == null ? Map.of() : loggingContext);
            T result = work.run(this);
            inTime = trySuccess(result);
            if (!inTime) {
                ReferenceCountUtil.safeRelease(result);
            }
        } catch (Throwable e) {
            inTime = tryFailure(e);
        } finally {
            MDC.clear();
            Thread.interrupted(); // the interrupt was for this task, not for the worker's next
        }
        return inTime ? Outcome.COMPLETED : Outcome.CUT_OFF;
    }

    @Override
    public Deadline deadline() {
        return deadline;
    }

    @Override
    public boolean isAbandoned() {
        return isDone();
    }

    @Override
    public long clientGraceNanos() {
        return pool.clientGraceNanos(client);
    }

    @Override
    public Registration onCancel(Runnable action) {
        var registered = new CancelAction(action);
        synchronized (cancelActions) {
            cancelActions.add(registered);
            if (ended) {
                registered.start();
            }
        }
        return () -> {
            synchronized (cancelActions) {
                cancelActions.remove(registered);
            }
            registered.close();
        };
    }
}
