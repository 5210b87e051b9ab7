package io.sluice.config;

import io.sluice.config.key.Range;
import java.util.Optional;
import java.util.Set;

/**
 * The response to an SQL error.
 *
 * @param status the status
 * @param detail the text for the client; absent: the one that the error has without this configuration
 */
public record SqlErrorConfig(@Range(min = 400, max = 599) int status, Optional<String> detail) {
    /**
     * Statuses whose responses must have a header field that no statement gives: Allow, Proxy-Authenticate,
     * Upgrade (RFC 9110 section 15.5).
     */
    public static final Set<Integer> NEEDING_FIELDS = Set.of(405, 407, 426);
}
