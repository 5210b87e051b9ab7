package io.sluice.config;

import io.sluice.config.key.Key;
import io.sluice.config.type.HeaderName;
import io.sluice.config.type.ParameterType;
import io.sluice.config.type.ScalarType;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * One parameter of a query.
 *
 * @param from its source; absent: the path if that has a capture of its name, else the query string
 * @param header the header of a parameter {@code from = header}; absent: its name with - for _
 * @param values the valid texts of an enum
 * @param defaultText the value if a request has no such parameter; key {@code default}
 * @param required whether a request without it is rejected, unless there is a default, and one with null
 */
public record ParameterConfig(
        ParameterType type,
        Optional<Source> from,
        Optional<HeaderName> header,
        Optional<Set<String>> values,
        @Key("default") Optional<String> defaultText,
        boolean required) {

    /** Ends the name of a companion: {@code :name_sent} tells whether the request has {@code name}. */
    public static final String SENT = "_sent";

    /** The source of a parameter. */
    public enum Source {
        PATH, QUERY_STRING, BODY, HEADER, CALLER, IF_MATCH, IF_NONE_MATCH;

        /** The preconditions of a change (RFC 9110 section 13.1), in the order of their evaluation. */
        public static final Set<Source> PRECONDITIONS =
                Collections.unmodifiableSet(EnumSet.of(IF_MATCH, IF_NONE_MATCH));
    }

    /**
     * Parses a text into a value for JDBC, or an element of one.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public Object valueOf(String text) {
        Object value = type.scalar().parse(text);
        if (values.isPresent() && !values.get().contains(text)) {
            throw new IllegalArgumentException(expectation());
        }
        if (type.isArray() && type.scalar() == ScalarType.TIMESTAMP && value instanceof OffsetDateTime) {
            throw new IllegalArgumentException("a timestamp without an offset, such as 2026-01-31T10:00:00");
        }
        return value;
    }

    /** Returns the header of the parameter with this name. */
    public String headerOf(String name) {
        return header.map(HeaderName::text).orElse(name.replace('_', '-'));
    }

    /** Returns a description of valid texts of the value, or of its elements, for messages. */
    public String expectation() {
        return values.map(texts -> "one of " + String.join(", ", texts))
                .orElse(type.scalar().expectation());
    }
}
