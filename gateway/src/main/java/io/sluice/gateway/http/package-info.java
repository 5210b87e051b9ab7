/** The choice of a connection's HTTP version: by its first bytes, or by its TLS handshake. */
package io.sluice.gateway.http;
