/** Opening of connections to endpoints: TCP, the PROXY header and TLS. Knows neither upstreams nor HTTP. */
package io.sluice.handlers.upstream.connect;
