package io.sluice.config;

/**
 * A token that lets requests in: {@code sluice.tokens.<name>}.
 *
 * @param sha256 of the token, which itself stands nowhere
 */
public record TokenConfig(Sha256 sha256) {
}
