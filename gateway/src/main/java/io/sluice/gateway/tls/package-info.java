/**
 * TLS for clients: its files, their reload while connections go on, and its handshake. Handshakes are
 * computed on the event loops and take 1 ms or less each; files are read on a separate thread.
 */
package io.sluice.gateway.tls;
