package io.sluice.config;

import java.time.Duration;

/**
 * One offload pool: {@code sluice.offload.pools.<name>}.
 *
 * @param workers threads, and so tasks that run at once
 * @param queueLimit tasks that may wait for a worker
 * @param deadline the longest that a task may wait and run
 */
public record PoolConfig(
        @Range(min = 1, max = 10_000) int workers,
        @Range(max = 1_000_000) int queueLimit,
        @Range(min = 1, max = Range.DAY) Duration deadline) {
}
