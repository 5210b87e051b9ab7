package io.sluice.handlers.topic;

import org.jspecify.annotations.Nullable;

/**
 * A message that was published.
 *
 * @param subscribers the number of subscribers of this gateway that will get it, unless they leave
 * @param position its position if a bus has given it one; null otherwise
 */
public record Published(int subscribers, @Nullable Position position) {
}
