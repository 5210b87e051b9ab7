package io.sluice.handlers.write;

import org.jspecify.annotations.Nullable;

/**
 * What a request that changes data says in its head.
 *
 * @param hasIfMatch whether it has a precondition
 * @param key its idempotency key; null for none, or if keys do not matter
 * @param method its method
 * @param caller the name of its token; empty without one
 */
public record WriteRequest(boolean hasIfMatch, @Nullable String key, String method, String caller) {
}
