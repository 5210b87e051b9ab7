/**
 * Clients of upstreams: an {@link io.sluice.handlers.upstream.Upstream} has endpoints, permits for concurrent
 * requests, and connections of each event loop. Knows no exchange.
 */
package io.sluice.handlers.upstream;
