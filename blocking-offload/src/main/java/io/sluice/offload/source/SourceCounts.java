package io.sluice.offload.source;

import java.util.concurrent.TimeUnit;

/** Counts what a source does. Thread-safe. */
final class SourceCounts {
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private long messages;
    private long batches;
    private long failures;
    private long lagBytes;
    private boolean active;
    private boolean backlog;
    /** The insertion time of the oldest row, by {@link System#nanoTime()}; undefined without a backlog. */
    private long oldestAt;

    /** Records that the database was told of a number of messages. */
    synchronized void confirmed(int number) {
        messages += number;
        batches++;
    }

    synchronized void failed() {
        failures++;
    }

    /** Records whether this node, not another one, reads. */
    synchronized void active(boolean reads) {
        active = reads;
        if (!reads) {
            backlog = false;
        }
    }

    /** Records the age of the oldest row, in seconds. */
    synchronized void oldest(double age) {
        oldestAt = System.nanoTime() - (long) (age * NANOS);
        backlog = true;
    }

    /** Records that no row is left. */
    synchronized void drained() {
        backlog = false;
    }

    /** Records how much log the slot keeps. */
    synchronized void lagBytes(long bytes) {
        lagBytes = bytes;
    }

    synchronized SourceStats stats() {
        double lag = backlog ? Math.max(0, (System.nanoTime() - oldestAt) / NANOS) : 0;
        return new SourceStats(messages, batches, failures, lag, lagBytes, active);
    }
}
