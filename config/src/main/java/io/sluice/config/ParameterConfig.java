package io.sluice.config;

import io.sluice.config.type.ParameterType;
import java.util.Optional;

/**
 * One parameter of a query.
 *
 * @param from where it stands; absent: in the path where that has a capture of its name, else in the
 *     query string
 * @param defaultText what stands for a parameter that was left out
 * @param required whether a request that leaves it out is refused; if not, and there is no default,
 *     it is NULL
 */
public record ParameterConfig(
        ParameterType type,
        Optional<Source> from,
        @Key("default") Optional<String> defaultText,
        boolean required) {

    /** Where a parameter stands. */
    public enum Source { PATH, QUERY_STRING, BODY }
}
