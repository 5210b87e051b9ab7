package io.sluice.config;

import io.sluice.config.type.Sha256;

/**
 * An access token: {@code sluice.tokens.<name>}.
 *
 * @param sha256 the hash of the token; the token itself is not in the configuration
 */
public record TokenConfig(Sha256 sha256) {
}
