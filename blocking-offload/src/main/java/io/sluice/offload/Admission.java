package io.sluice.offload;

/**
 * Whether a pool can do a task in time. When a pool has been offered more than it can do for a while, its
 * queue is as long as this lets it become, and each task that gets in is at the edge: so the estimate is
 * a careful one, as an admitted task that misses its deadline has cost a worker's time for nothing. Not safe
 * for threads.
 */
final class Admission {
    /** Mean deviations; of a normal distribution, more than two standard deviations. */
    private static final int CAUTION = 3;
    /** The rest is for what no mean tells of: a pause of this machine, or of the database. */
    private static final double OF_THE_TIME = 0.9;

    private final int workers;
    private final RunTimes runTimes;

    Admission(int workers, RunTimes runTimes) {
        this.workers = workers;
        this.runTimes = runTimes;
    }

    /**
     * How long a task will wait while all workers are busy: one task leaves them every mean / workers. Where
     * they have become slower than that, the task at the head of the queue knows, from how long it has
     * waited by now and how many were ahead of it when it came.
     *
     * @param queued how many wait already
     * @param head the first of them, or null
     * @return nanoseconds
     */
    double expectedWait(int queued, OffloadTask<?> head) {
        double perTask = runTimes.mean() / workers;
        if (head != null) {
            perTask = Math.max(perTask, (double) head.queuedNanos() / (head.ahead() + workers));
        }
        return (queued + workers) * perTask;
    }

    /**
     * Whether a task that comes now would be done too late. Never where nobody waits: how long others ran is
     * no reason not to try.
     */
    boolean tooLate(Deadline deadline, int queued, OffloadTask<?> head) {
        if (queued == 0 || runTimes.unknown()) {
            return false;
        }
        double spread = runTimes.deviation() * (1 + Math.sqrt(queued) / workers);
        double needed = expectedWait(queued, head) + runTimes.mean() + CAUTION * spread;
        return needed > OF_THE_TIME * deadline.remainingNanos();
    }
}
