package io.sluice.config;

import java.time.Duration;

/**
 * How the gateway starts and stops: {@code sluice.lifecycle}.
 *
 * @param warmUp the longest that it practises before it is ready; none for zero
 */
public record LifecycleConfig(
        @Range(max = Range.HOUR) Duration warmUp,
        @Range(max = Range.HOUR) Duration unreadyDelay,
        @Range(max = Range.HOUR) Duration drainTimeout,
        @Range(max = Range.HOUR) Duration idleGrace) {
}
