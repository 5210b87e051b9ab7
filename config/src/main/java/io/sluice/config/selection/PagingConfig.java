package io.sluice.config.selection;

import io.sluice.config.key.Range;
import io.sluice.config.type.Secret;
import java.util.Optional;
import java.util.Set;

/**
 * Pages of a result: {@code paging}.
 *
 * @param key columns that are not NULL and together unique; they end every order
 * @param limit the rows of a page if the request has no {@code limit}
 * @param maxLimit the largest {@code limit} that a request may have
 * @param count whether, and how, all rows are counted
 * @param secret signs cursors; without one, each process has its own
 */
public record PagingConfig(
        Set<SortKey> key,
        @Range(min = 1, max = 100_000) int limit,
        @Range(min = 1, max = 100_000) int maxLimit,
        Optional<Count> count,
        Optional<Secret> secret) {

    /** The ways of counting: all rows, or the number that the database's planner expects. */
    public enum Count { EXACT, ESTIMATED }
}
