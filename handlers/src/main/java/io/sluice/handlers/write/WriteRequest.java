package io.sluice.handlers.write;

import io.sluice.config.ParameterConfig.Source;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a request that changes data says in its head.
 *
 * @param preconditions those that it has
 * @param key its idempotency key; null for none, or if keys do not matter
 * @param method its method
 * @param caller the name of its token; empty without one
 */
public record WriteRequest(Set<Source> preconditions, @Nullable String key, String method, String caller) {
}
