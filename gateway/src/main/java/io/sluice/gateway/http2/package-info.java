/**
 * The frames of HTTP/2 (RFC 9113): Netty's codec, and what keeps a client from asking too much of it. Knows
 * nothing of requests and answers beyond their header fields. Everything here runs on event loops.
 */
package io.sluice.gateway.http2;
