package io.sluice.config;

import io.sluice.config.key.Range;
import io.sluice.config.key.Restart;
import java.time.Duration;

/**
 * The start and the stop of the gateway: {@code sluice.lifecycle}.
 *
 * @param reloadOnChange whether the configuration is reloaded when one of its files changes
 * @param warmUp the longest time of requests to itself before the gateway is ready; zero disables them
 */
public record LifecycleConfig(
        boolean reloadOnChange,
        @Restart @Range(max = Range.HOUR) Duration warmUp,
        @Range(max = Range.HOUR) Duration unreadyDelay,
        @Range(max = Range.HOUR) Duration drainTimeout,
        @Range(max = Range.HOUR) Duration idleGrace) {
}
