package io.sluice.config;

import io.sluice.config.key.Key;
import io.sluice.config.type.ParameterType;
import java.util.Optional;

/**
 * One parameter of a query.
 *
 * @param from its source; absent: the path if that has a capture of its name, else the query string
 * @param defaultText the value if a request has no such parameter; key {@code default}
 * @param required whether a request without it is rejected; otherwise it is the default, or NULL without one
 */
public record ParameterConfig(
        ParameterType type,
        Optional<Source> from,
        @Key("default") Optional<String> defaultText,
        boolean required) {

    /** The source of a parameter. */
    public enum Source { PATH, QUERY_STRING, BODY }
}
