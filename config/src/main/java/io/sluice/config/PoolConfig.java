package io.sluice.config;

import io.sluice.config.key.Range;
import io.sluice.config.type.Share;
import java.time.Duration;

/**
 * One offload pool: {@code sluice.offload.pools.<name>}.
 *
 * @param kind the kind of the workers' threads
 * @param workers the number of threads, which is that of concurrent tasks
 * @param queueLimit the largest number of tasks that wait for a worker
 * @param deadline the longest time of a task, waiting included
 * @param clientShare the share of workers for tasks of one client while tasks of others wait; the tasks of a
 *     client with more of them leave some workers idle
 * @param clientGrace the total time that a worker waits for a client to read its response
 */
public record PoolConfig(
        Kind kind,
        @Range(min = 1, max = 10_000) int workers,
        @Range(max = 1_000_000) int queueLimit,
        @Range(min = 1, max = Range.DAY) Duration deadline,
        Share clientShare,
        @Range(max = Range.HOUR) Duration clientGrace) implements QueueConfig {

    /** The kind of threads. */
    public enum Kind { PLATFORM, VIRTUAL }

    @Override
    public int permits() {
        return workers;
    }

    /** Returns a pool with a client share of 50% and a client grace of 1 s. */
    public static PoolConfig of(Kind kind, int workers, int queueLimit, Duration deadline) {
        return new PoolConfig(kind, workers, queueLimit, deadline, new Share(50), Duration.ofSeconds(1));
    }
}
