package io.sluice.config;

import io.sluice.config.type.Share;
import java.time.Duration;

/**
 * One offload pool: {@code sluice.offload.pools.<name>}.
 *
 * @param kind of the workers' threads
 * @param workers threads, and so tasks that run at once
 * @param queueLimit tasks that may wait for a worker
 * @param deadline the longest that a task may wait and run
 * @param clientShare workers that the tasks of one client may hold while others wait; with more of them it
 *     leaves some idle
 * @param clientGrace how long a worker waits in all for a client to read its answer
 */
public record PoolConfig(
        Kind kind,
        @Range(min = 1, max = 10_000) int workers,
        @Range(max = 1_000_000) int queueLimit,
        @Range(min = 1, max = Range.DAY) Duration deadline,
        Share clientShare,
        @Range(max = Range.HOUR) Duration clientGrace) {

    /** What kind of threads. */
    public enum Kind { PLATFORM, VIRTUAL }

    /** A pool of workers. */
    public static PoolConfig of(Kind kind, int workers, int queueLimit, Duration deadline) {
        return new PoolConfig(kind, workers, queueLimit, deadline, new Share(50), Duration.ofSeconds(1));
    }
}
