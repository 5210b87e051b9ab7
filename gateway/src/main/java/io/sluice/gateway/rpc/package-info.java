/** Requests over a WebSocket: many at once, each served as if it had come by itself. */
package io.sluice.gateway.rpc;
