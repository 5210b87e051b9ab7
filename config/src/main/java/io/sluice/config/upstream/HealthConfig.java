package io.sluice.config.upstream;

import io.sluice.config.key.Range;
import java.time.Duration;

/**
 * Active checks of the endpoints of an upstream: {@code health}.
 *
 * @param path the target of the GET that an endpoint has to answer with 2xx or 3xx
 * @param interval the time between the beginnings of two checks
 * @param timeout the time for a check, its connection included
 * @param downAfter the number of consecutive failed checks after which an endpoint is down
 * @param upAfter the number of consecutive passed checks after which it is up again
 */
public record HealthConfig(
        String path,
        @Range(min = 100, max = Range.HOUR) Duration interval,
        @Range(min = 10, max = Range.HOUR) Duration timeout,
        @Range(min = 1, max = 100) int downAfter,
        @Range(min = 1, max = 100) int upAfter) {
}
