/**
 * WebSocket handlers. {@link io.sluice.handlers.websocket.Topics} is the hub that routes share: a message is
 * passed to each event loop once, and each loop sends it to its own sockets.
 */
package io.sluice.handlers.websocket;
