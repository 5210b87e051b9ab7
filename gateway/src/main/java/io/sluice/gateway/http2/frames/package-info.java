/**
 * HTTP/2 frames (RFC 9113): Netty's codec with guards against clients that misuse it. Knows no requests and
 * responses beyond their header fields. Runs on event loops.
 */
package io.sluice.gateway.http2.frames;
