/**
 * Parts of an endpoint: its time to first byte, its circuit, its active checks, its PROXY header, the number
 * of its connections.
 */
package io.sluice.handlers.upstream.endpoint;
