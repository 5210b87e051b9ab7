package io.sluice.config.upstream;

import io.sluice.config.key.Range;
import io.sluice.config.type.HeaderName;
import io.sluice.config.type.Secret;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Changes of the headers of a message that is passed on: {@code request-headers} and
 * {@code response-headers}.
 *
 * @param set values by names, each in place of the fields of that name; confidential, as they may be
 *     credentials
 * @param remove the names of fields that are not passed on
 */
public record HeaderChanges(
        Optional<Map<String, Secret>> set,
        @Range(max = 1000) Optional<Set<HeaderName>> remove) {
}
