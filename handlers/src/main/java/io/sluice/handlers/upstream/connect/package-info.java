/**
 * Opening of connections to endpoints: TCP, the PROXY header and TLS; and the list of those that are idle.
 * Knows neither upstreams nor HTTP.
 */
package io.sluice.handlers.upstream.connect;
