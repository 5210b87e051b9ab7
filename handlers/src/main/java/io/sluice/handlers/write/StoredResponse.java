package io.sluice.handlers.write;

/**
 * A response as it is stored.
 *
 * @param headers a line for each, such as {@code location: /orders/7}
 */
public record StoredResponse(int status, String headers, byte[] body) {
}
