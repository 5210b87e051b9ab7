package io.sluice.config;

import java.time.Duration;

/** How the gateway stops: {@code sluice.lifecycle}. */
public record LifecycleConfig(
        @Range(max = Range.HOUR) Duration unreadyDelay,
        @Range(max = Range.HOUR) Duration drainTimeout,
        @Range(max = Range.HOUR) Duration idleGrace) {
}
