/**
 * WebSockets (RFC 6455, RFC 7692): handshake, frames, messages, closing. Messages are interpreted by the
 * route's handler. Everything here runs on event loops and must not block.
 */
package io.sluice.gateway.websocket;
