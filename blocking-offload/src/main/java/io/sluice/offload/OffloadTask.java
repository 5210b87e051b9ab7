package io.sluice.offload;

import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** One piece of work on its way through a pool: the promise of its result, and the scope it runs in. */
final class OffloadTask<T> extends DefaultPromise<T> implements WorkScope {
    private static final Guard GUARD = new Guard(LoggerFactory.getLogger(OffloadTask.class),
            "the work of a task could not be cancelled");

    private final OffloadPool pool;
    /** Null for work that no client has asked for. */
    private final ClientNetwork client;
    private final Deadline deadline;
    private final Work<T> work;
    private final long submittedNanos;
    /** The submitter's, so that what the work logs can be told from others' work. */
    private final Map<String, String> loggingContext = MDC.getCopyOfContextMap();

    /** Those in force. Their monitor guards {@link #ended} too. */
    private final List<CancelAction> cancelActions = new ArrayList<>(2);
    private boolean ended;

    private volatile boolean running;
    /** Guarded by the pool's lock, as is the next. */
    private int ahead;
    private long queuedSince;

    OffloadTask(OffloadPool pool, ClientNetwork client, Deadline deadline, EventExecutor home, Work<T> work) {
        super(home);
        this.pool = pool;
        this.client = client;
        this.deadline = deadline;
        submittedNanos = deadline.clock().nanoTime();
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

    /** Ends the task, which no worker has begun, for want of room. */
    void refuse(OffloadException.Refused refusal) {
        tryFailure(refusal);
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

    ClientNetwork client() {
        return client;
    }

    /** From now on it waits for so many that came before it. */
    void queued(int tasksAhead) {
        ahead = tasksAhead;
        queuedSince = deadline.clock().nanoTime();
    }

    int ahead() {
        return ahead;
    }

    /** The time for which it has waited for those ahead of it. */
    long queuedNanos() {
        return deadline.clock().nanoTime() - queuedSince;
    }

    long submittedNanos() {
        return submittedNanos;
    }

    /** How far a worker came with it. */
    enum Outcome {
        /** Nobody waited for it any more. */
        NOT_BEGUN,
        /** It was cancelled, or its deadline passed, while it ran. */
        CUT_OFF,
        /** It came to its end, good or bad. */
        COMPLETED
    }

    /** Called by a worker. */
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
            Thread.interrupted(); // was meant for this work, not for the worker's next
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
