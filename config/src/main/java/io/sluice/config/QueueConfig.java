package io.sluice.config;

import io.sluice.config.type.Share;
import java.time.Duration;

/** The settings of a queue for a limited number of permits, such as the workers of an offload pool. */
public interface QueueConfig {

    /** Returns the number of permits, which is that of concurrent tasks. */
    int permits();

    /** Returns the largest number of tasks that wait for a permit. */
    int queueLimit();

    /** Returns the longest time of a task, waiting included. */
    Duration deadline();

    /** Returns the share of the permits for tasks of one client while tasks of others wait. */
    Share clientShare();
}
