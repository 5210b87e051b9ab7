package io.sluice.handlers.rights;

import io.sluice.config.topic.RightsConfig;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A right to a topic. */
public enum Right {
    /** To receive its messages, and to query its presence. */
    SUBSCRIBE,
    /** To send messages. */
    PUBLISH;

    /** Returns the names of the callers that have this right; empty if everybody has. */
    Optional<Set<String>> names(RightsConfig config) {
        return this == SUBSCRIBE ? config.subscribe() : config.publish();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
