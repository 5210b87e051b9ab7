/**
 * The frames of HTTP/2 (RFC 9113) within limits: Netty's codec, and guards against clients that misuse it.
 * Knows nothing of requests and answers beyond their header fields. Everything here runs on event loops.
 */
package io.sluice.gateway.http2.frames;
