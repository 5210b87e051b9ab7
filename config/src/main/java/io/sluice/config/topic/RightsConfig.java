package io.sluice.config.topic;

import io.sluice.config.key.Range;
import io.sluice.config.key.Ref;
import java.util.Optional;
import java.util.Set;

/**
 * The rights to the topics of a pattern: an entry of {@code rights} in {@code sluice.topics.<name>}.
 *
 * @param subscribe the names of tokens whose callers may subscribe; absent: everybody, empty: nobody
 * @param publish the names of tokens whose callers may publish; absent: everybody, empty: nobody
 */
public record RightsConfig(
        @Ref("tokens") @Range(max = 10_000) Optional<Set<String>> subscribe,
        @Ref("tokens") @Range(max = 10_000) Optional<Set<String>> publish) {
}
