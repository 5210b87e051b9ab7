/** WebSocket handlers. */
package io.sluice.handlers.websocket;
