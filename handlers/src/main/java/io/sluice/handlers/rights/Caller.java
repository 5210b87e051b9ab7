package io.sluice.handlers.rights;

import io.sluice.handlers.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * The client of a topic, for as long as it is subscribed: what rights are decided by.
 *
 * @param name the name of its token; null without a known one
 */
public record Caller(@Nullable String name) {
    public static final Caller ANONYMOUS = new Caller(null);

    /** Returns the caller of a request. */
    public static Caller of(Exchange exchange) {
        String name = exchange.caller();
        return name == null ? ANONYMOUS : new Caller(name);
    }

    @Override
    public String toString() {
        return name == null ? "a caller without a token" : name;
    }
}
