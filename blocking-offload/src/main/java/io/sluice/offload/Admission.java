package io.sluice.offload;

import org.jspecify.annotations.Nullable;

/**
 * Estimates whether a pool can complete a task by its deadline. Under lasting overload the queue is as long
 * as this estimate allows, and every admitted task just meets its deadline. Since an admitted task that
 * misses it has wasted a worker's time, the estimate is conservative. Not thread-safe.
 */
final class Admission {
    /** The margin in mean deviations, which is above two standard deviations of a normal distribution. */
    private static final int CAUTION = 3;
    /** The fraction of the remaining time to use; the rest is for pauses of this machine or the database. */
    private static final double OF_THE_TIME = 0.9;

    private final int workers;
    private final RunTimes runTimes;
    private final RunTimes responseTimes;

    /**
     * Creates the estimate of a pool.
     *
     * @param runTimes the times after which workers take the next task
     * @param responseTimes the times after which tasks have met their deadlines
     */
    Admission(int workers, RunTimes runTimes, RunTimes responseTimes) {
        this.workers = workers;
        this.runTimes = runTimes;
        this.responseTimes = responseTimes;
    }

    /**
     * Returns the time that a task will wait while all workers are busy: they finish one task every mean /
     * workers. If they have become slower, the task at the head of the queue shows it, by how long it has
     * waited and how many tasks were ahead of it when it was queued.
     *
     * @param queued the number of tasks ahead
     * @param head the first of them, or null
     * @return nanoseconds
     */
    double expectedWait(int queued, @Nullable PermitRequest head) {
        double perTask = runTimes.mean() / workers;
        if (head != null) {
            perTask = Math.max(perTask, (double) head.queuedNanos() / (head.ahead() + workers));
        }
        return (queued + workers) * perTask;
    }

    /**
     * Returns whether a new task would miss its deadline. Always false if no task is ahead: the run times of
     * other tasks are no reason to refuse it.
     */
    boolean tooLate(Deadline deadline, int queued, @Nullable PermitRequest head) {
        if (queued == 0 || runTimes.unknown()) {
            return false;
        }
        double spread = responseTimes.deviation() + runTimes.deviation() * Math.sqrt(queued) / workers;
        double needed = expectedWait(queued, head) + responseTimes.mean() + CAUTION * spread;
        return needed > OF_THE_TIME * deadline.remainingNanos();
    }
}
