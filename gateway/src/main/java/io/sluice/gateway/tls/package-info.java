/**
 * TLS for clients: its files, its handshake, and what they are exchanged for while connections go on.
 * Handshakes are computed on the event loops, a millisecond or less each; files are read elsewhere.
 */
package io.sluice.gateway.tls;
