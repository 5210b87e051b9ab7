package io.sluice.config;

import io.sluice.config.type.Share;
import java.time.Duration;

/**
 * One offload pool: {@code sluice.offload.pools.<name>}.
 *
 * @param kind of the workers' threads
 * @param execution who runs the tasks
 * @param workers threads, and so tasks that run at once
 * @param queueLimit tasks that may wait for a worker
 * @param deadline the longest that a task may wait and run
 * @param clientShare workers that the tasks of one client may hold while others wait; with more of them it
 *     leaves some idle
 * @param clientGrace how long a worker waits in all for a client to read its answer
 */
public record PoolConfig(
        Kind kind,
        Execution execution,
        @Range(min = 1, max = 10_000) int workers,
        @Range(max = 1_000_000) int queueLimit,
        @Range(min = 1, max = Range.DAY) Duration deadline,
        Share clientShare,
        @Range(max = Range.HOUR) Duration clientGrace) {

    /** What kind of threads. */
    public enum Kind { PLATFORM, VIRTUAL }

    /** The pool's workers; or, for experiments, the thread that serves the connection. */
    public enum Execution { WORKERS, EVENT_LOOP }

    /** A pool of workers. */
    public static PoolConfig of(Kind kind, int workers, int queueLimit, Duration deadline) {
        return new PoolConfig(kind, Execution.WORKERS, workers, queueLimit, deadline, new Share(50),
                Duration.ofSeconds(1));
    }
}
