package io.sluice.config;

import io.sluice.config.key.Range;
import java.util.Optional;

/**
 * The response to an SQL error.
 *
 * @param status the status
 * @param detail the text for the client; absent: the one that the error has without this configuration
 */
public record SqlErrorConfig(@Range(min = 400, max = 599) int status, Optional<String> detail) {
}
