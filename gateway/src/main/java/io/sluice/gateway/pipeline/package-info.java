/**
 * The way of a request through a channel: decoded, dispatched to its route, answered. Everything here
 * runs on event loops and must not block.
 */
package io.sluice.gateway.pipeline;
