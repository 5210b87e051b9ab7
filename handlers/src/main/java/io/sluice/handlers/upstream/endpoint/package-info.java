/**
 * Parts of an endpoint: its addresses, its time to first byte, its slow start, its circuit, its PROXY header,
 * the number of its connections.
 */
package io.sluice.handlers.upstream.endpoint;
