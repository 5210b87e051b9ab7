/** Handlers of WebSockets: echo, topics and programs; and the key of the opening handshake. */
package io.sluice.handlers.websocket;
