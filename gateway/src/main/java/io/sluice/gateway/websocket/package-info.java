/**
 * WebSockets (RFC 6455, RFC 7692): handshake, frames, messages, closing. What a socket is for is its
 * handler's business. Everything here runs on event loops and must not block.
 */
package io.sluice.gateway.websocket;
