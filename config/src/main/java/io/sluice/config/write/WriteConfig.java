package io.sluice.config.write;

import io.sluice.config.key.Range;
import java.util.Optional;
import java.util.Set;

/**
 * The key {@code write} of a query that changes data.
 *
 * @param steps the statements that run before the query's, in its transaction
 * @param maxElements the largest number of elements for which a step runs
 * @param status the status of the response to a change
 * @param location the Location of that response
 * @param none the status if the query's statement has changed no row
 * @param idempotency the treatment of requests that are sent twice
 */
public record WriteConfig(
        Optional<Set<StepConfig>> steps,
        @Range(min = 1, max = 10_000) int maxElements,
        @Range(min = 200, max = 299) int status,
        Optional<LocationTemplate> location,
        @Range(min = 200, max = 499) int none,
        Optional<IdempotencyConfig> idempotency) {

    /** A change without this key, whose precondition may fail nevertheless. */
    public static final WriteConfig NONE = new WriteConfig(Optional.empty(), 1, 200, Optional.empty(), 200,
            Optional.empty());

    /** Returns the statements before the query's, in their order. */
    public Set<StepConfig> before() {
        return steps.orElse(Set.of());
    }
}
