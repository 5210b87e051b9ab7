package io.sluice.config;

import io.sluice.config.type.Sha256;

/**
 * A token that lets requests in: {@code sluice.tokens.<name>}.
 *
 * @param sha256 of the token, which itself stands nowhere
 */
public record TokenConfig(Sha256 sha256) {
}
