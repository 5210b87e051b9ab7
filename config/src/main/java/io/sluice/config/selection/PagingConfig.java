package io.sluice.config.selection;

import io.sluice.config.key.Range;
import io.sluice.config.type.Secret;
import java.util.Optional;
import java.util.Set;

/**
 * Pages of a result: {@code paging}.
 *
 * @param key columns that are not NULL and together unique; they end every order
 * @param limit the rows of a page without a wish of the client
 * @param maxLimit the most rows that a client may wish
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
