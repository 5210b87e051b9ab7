/** Requests over a WebSocket: many at a time, each served like a separate HTTP request. */
package io.sluice.gateway.rpc;
