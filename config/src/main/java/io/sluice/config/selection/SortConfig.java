package io.sluice.config.selection;

import io.sluice.config.key.Key;
import java.util.Optional;
import java.util.Set;

/**
 * The orders in which clients may have rows: {@code sort}.
 *
 * @param allowed columns by which a client may sort
 * @param defaultOrder the order if the request has no {@code sort}; key {@code default}
 */
public record SortConfig(Set<String> allowed, @Key("default") Optional<Set<SortKey>> defaultOrder) {
}
