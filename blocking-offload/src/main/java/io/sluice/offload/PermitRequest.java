package io.sluice.offload;

import io.sluice.offload.OffloadException.Refused;
import org.jspecify.annotations.Nullable;

/**
 * A task that asks a {@link PermitAllocator} for a permit, such as one for a worker, or a request to an
 * upstream.
 */
interface PermitRequest {

    /** Returns the client of the task; null for the gateway itself. */
    @Nullable ClientNetwork client();

    /** Returns the time by which the task must be done. */
    Deadline deadline();

    /** Returns the time at which the task was submitted, in nanoseconds of the clock. */
    long submittedNanos();

    /** Records that the task starts to wait, with so many tasks ahead of it. Called with the lock held. */
    void queued(int tasksAhead);

    /** Returns the number of tasks that were ahead of it at the last {@link #queued}. */
    int ahead();

    /** Returns the nanoseconds since the last {@link #queued}. */
    long queuedNanos();

    /** Records that the task has a permit from now on. Called with the lock held. */
    void granted(long nowNanos);

    /**
     * Returns the nanoseconds from the grant to the response by which the task meets its deadline; negative
     * if there is none before its end.
     */
    default long responseNanos() {
        return -1;
    }

    /** Ends the task, which gets no permit. Called without the lock, on the thread that causes it. */
    void refused(Refused reason);

    /** The outcome of a task for the statistics. */
    enum Outcome {
        /** The task was cancelled, or its deadline passed, before it began. */
        NOT_BEGUN,
        /** The task was cancelled, or its deadline passed, while it ran. */
        CUT_OFF,
        /** The task returned or failed by itself. */
        COMPLETED
    }
}
