package io.sluice.handlers;

/**
 * Marks a response of another server: its header fields are sent as they are, without those that the gateway
 * adds to its own responses, but Date if it is missing (RFC 9110 section 6.6.1).
 */
public interface Relayed {
}
