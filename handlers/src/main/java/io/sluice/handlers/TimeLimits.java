package io.sluice.handlers;

import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The times that an exchange may take. A request that exceeds one is answered with 504; an answer that has
 * begun is cut off. Only the total includes the time in which the exchange waits for its client: for more of
 * the request's body, or to take more of the answer.
 *
 * @param total from the head of the request until all of its answer is written
 * @param firstByte until the answer begins, counted anew from each byte of the request's body
 * @param idle from the beginning of the answer, counted anew from each byte of either body
 */
public record TimeLimits(Optional<Duration> total, Optional<Duration> firstByte, Optional<Duration> idle) {

    /** A limit of the whole time alone. */
    public static TimeLimits ofTotal(Duration total) {
        return new TimeLimits(Optional.of(total), Optional.empty(), Optional.empty());
    }

    /** The shorter one of each of two limits. */
    public TimeLimits strictest(TimeLimits other) {
        return new TimeLimits(shorter(total, other.total), shorter(firstByte, other.firstByte),
                shorter(idle, other.idle));
    }

    private static Optional<Duration> shorter(Optional<Duration> one, Optional<Duration> other) {
        return Stream.concat(one.stream(), other.stream()).min(Comparator.naturalOrder());
    }
}
