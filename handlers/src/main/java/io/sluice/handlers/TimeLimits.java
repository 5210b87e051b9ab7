package io.sluice.handlers;

import java.time.Duration;
import java.util.Optional;

/**
 * The time limits of an exchange. A request that exceeds one is answered with 504; a response that has begun
 * is cut off. Only the total includes the time in which the exchange waits for its client: for more of the
 * request's body, until the response of an endpoint begins, or to read more of the response.
 *
 * @param total from the head of the request until the whole response is written
 * @param firstByte until the response begins; restarts at each byte of the request's body
 * @param idle from the beginning of the response; restarts at each byte of either body
 */
public record TimeLimits(Optional<Duration> total, Optional<Duration> firstByte, Optional<Duration> idle) {

    /** Returns limits with a total only. */
    public static TimeLimits ofTotal(Duration total) {
        return new TimeLimits(Optional.of(total), Optional.empty(), Optional.empty());
    }

    /** Returns the lower of each two limits. */
    public TimeLimits strictest(TimeLimits other) {
        return new TimeLimits(shorter(total, other.total), shorter(firstByte, other.firstByte),
                shorter(idle, other.idle));
    }

    private static Optional<Duration> shorter(Optional<Duration> one, Optional<Duration> other) {
        return one.isEmpty() ? other
                : other.isEmpty() || one.get().compareTo(other.get()) <= 0 ? one : other;
    }
}
