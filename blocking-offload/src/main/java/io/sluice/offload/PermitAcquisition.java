package io.sluice.offload;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.offload.OffloadException.Refused;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A request for a permit of a {@link PermitPool}, and the holder of the permit until its release. If it has
 * to wait, it has a timer on its home executor, where it receives its permit or refusal, too.
 */
final class PermitAcquisition implements PermitRequest, Permits.Acquisition {
    private final PermitPool pool;
    private final @Nullable ClientNetwork client;
    private final Deadline requested;
    private final EventExecutor home;
    private final Permits.Waiter waiter;
    private final long submittedNanos;

    /** Guarded by the monitor of the pool's allocator, like the next five. */
    private State state = State.NEW;
    private int ahead;
    private long queuedSince;
    private long grantedNanos;
    private long lastsSince;
    /** Ends the work when the permit has been taken back; null before a lasting response has begun. */
    private @Nullable Runnable onReclaim;

    /** The time from the grant to the response; negative before. */
    private volatile long responseNanos = -1;
    /** Null unless it has waited. */
    private volatile @Nullable Future<?> timer;

    private enum State {
        /** The request is neither queued nor answered yet. */
        NEW,
        /** The request is in the queue, or its refusal is on the way to its home. */
        WAITING,
        /** The permit is on the way to the home of the request. */
        GRANTED,
        /** The request has a permit, and its waiter is called. */
        HELD,
        /** The request was refused or cancelled, or has given its permit back. */
        ENDED
    }

    PermitAcquisition(PermitPool pool, @Nullable ClientNetwork client, Deadline requested, EventExecutor home,
                 Permits.Waiter waiter) {
        this.pool = pool;
        this.client = client;
        this.requested = requested;
        this.home = home;
        this.waiter = waiter;
        submittedNanos = pool.clock().nanoTime();
    }

    @Override
    public @Nullable ClientNetwork client() {
        return client;
    }

    @Override
    public Deadline deadline() {
        return pool.deadline(requested, submittedNanos);
    }

    @Override
    public long submittedNanos() {
        return submittedNanos;
    }

    @Override
    public void queued(int tasksAhead) {
        state = State.WAITING;
        ahead = tasksAhead;
        queuedSince = pool.clock().nanoTime();
    }

    @Override
    public int ahead() {
        return ahead;
    }

    @Override
    public long queuedNanos() {
        return pool.clock().nanoTime() - queuedSince;
    }

    @Override
    public void granted(long nowNanos) {
        state = state == State.NEW ? State.HELD : State.GRANTED;
        grantedNanos = nowNanos;
    }

    @Override
    public long responseNanos() {
        return responseNanos;
    }

    /** Passes the permit to the waiter. */
    void begin() {
        pool.observer().started(Math.max(0, grantedNanos - submittedNanos));
        try {
            waiter.granted(this);
        } catch (Throwable e) {
            cancel();
            throw e;
        }
    }

    /** If it waits, refuses it at its deadline; at once if its home has shut down. */
    void watchDeadline() {
        if (!isWaiting()) {
            return;
        }
        try {
            timer = home.schedule(this::expire, deadline().remainingNanos(), TimeUnit.NANOSECONDS);
            pool.reclaimLater(home);
        } catch (RejectedExecutionException e) {
            refuse(pool.closed());
            return;
        }
        if (!isWaiting()) {
            stopTimer();
        }
    }

    private boolean isWaiting() {
        synchronized (pool.allocator()) {
            return state == State.WAITING;
        }
    }

    private void stopTimer() {
        Future<?> started = timer;
        if (started != null) {
            started.cancel(false);
        }
    }

    private void expire() {
        refuse(pool.deadlineExceeded());
    }

    @Override
    public void refused(Refused reason) {
        if (isWaiting()) {
            callHome(() -> refuse(reason));
        } else {
            refuse(reason);
        }
    }

    private void refuse(OffloadException reason) {
        if (end(Outcome.NOT_BEGUN)) {
            waiter.refused(reason);
        }
    }

    /** Runs a step on the home executor; returns false if that has shut down. */
    boolean callHome(Runnable step) {
        try {
            home.execute(step);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Receives the permit, on the home executor. */
    void receive() {
        if (deadline().expired()) {
            expire();
            return;
        }
        synchronized (pool.allocator()) {
            if (state != State.GRANTED) {
                return;
            }
            state = State.HELD;
        }
        stopTimer();
        begin();
    }

    /** Gives up a permit that its home cannot receive; returns the request that has got it, or null. */
    @Nullable PermitAcquisition passOn() {
        @Nullable PermitAcquisition next;
        synchronized (pool.allocator()) {
            if (state != State.GRANTED) {
                return null;
            }
            state = State.ENDED;
            next = pool.allocator().ended(this, Outcome.NOT_BEGUN, 0, pool.clock().nanoTime());
        }
        pool.observer().cancelled(false);
        return next;
    }

    @Override
    public void responded() {
        if (responseNanos < 0) {
            responseNanos = Math.max(0, pool.clock().nanoTime() - grantedNanos);
        }
    }

    @Override
    public void lasts(Runnable endWork) {
        synchronized (pool.allocator()) {
            if (state == State.HELD && onReclaim == null) {
                onReclaim = endWork;
                lastsSince = pool.clock().nanoTime();
                pool.lasting().add(this);
            }
        }
    }

    /** Returns the time at which its lasting response began. */
    long lastsSince() {
        return lastsSince;
    }

    /** Gives up the permit, and ends the work at its home. Called with the lock held. */
    void takeBack() {
        Runnable endWork = Objects.requireNonNull(onReclaim);
        state = State.ENDED;
        pool.lasting().remove(this);
        callHome(() -> {
            pool.observer().finished(pool.clock().nanoTime() - grantedNanos);
            pool.observer().cancelled(true);
            endWork.run();
        });
    }

    @Override
    public void release() {
        end(Outcome.COMPLETED);
    }

    @Override
    public void cancel() {
        end(Outcome.CUT_OFF);
    }

    /**
     * Ends the request and hands its permit over, if it has one.
     *
     * @param outcome of work with the permit; a holder that has begun goes on if it is {@code NOT_BEGUN}
     * @return false if it has ended already, or goes on
     */
    private boolean end(Outcome outcome) {
        long now = pool.clock().nanoTime();
        long ran;
        State was;
        boolean left = false;
        PermitAcquisition next = null;
        synchronized (pool.allocator()) {
            was = state;
            ran = now - grantedNanos;
            if (was == State.ENDED || was == State.HELD && outcome == Outcome.NOT_BEGUN) {
                return false;
            }
            state = State.ENDED;
            if (onReclaim != null) {
                pool.lasting().remove(this);
            }
            switch (was) {
                case WAITING -> left = pool.allocator().remove(this);
                case GRANTED -> next = pool.allocator().ended(this, Outcome.NOT_BEGUN, 0, now);
                case HELD -> next = pool.allocator().ended(this, outcome, ran, now);
                case NEW, ENDED -> { }
            }
        }
        pool.handOver(next);
        if (was == State.HELD) {
            pool.observer().finished(ran);
        }
        if (left || was == State.GRANTED || was == State.HELD && outcome == Outcome.CUT_OFF) {
            pool.observer().cancelled(was == State.HELD);
        }
        stopTimer();
        return true;
    }
}
