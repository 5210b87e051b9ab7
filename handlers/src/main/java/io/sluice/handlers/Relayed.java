package io.sluice.handlers;

/**
 * Marks a response of another server: its header fields are sent as they are, without those that the gateway
 * adds to its own responses, but Date (RFC 9110 section 6.6.1) and a configured Strict-Transport-Security
 * (RFC 6797 section 7.1) if they are missing.
 */
public interface Relayed {
}
