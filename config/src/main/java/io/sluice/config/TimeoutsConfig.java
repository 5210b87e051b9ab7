package io.sluice.config;

import io.sluice.config.type.ByteSize;
import java.time.Duration;

/**
 * How long clients may keep a connection waiting: {@code sluice.server.timeouts}.
 *
 * @param minRate in bytes a second, on average over {@code stall}
 */
public record TimeoutsConfig(
        @Range(min = 100, max = Range.HOUR) Duration firstHead,
        @Range(min = 100, max = Range.HOUR) Duration head,
        @Range(min = 100, max = 24 * Range.HOUR) Duration idle,
        @Range(min = 100, max = Range.HOUR) Duration stall,
        @Range(max = Range.MIB) ByteSize minRate) {
}
