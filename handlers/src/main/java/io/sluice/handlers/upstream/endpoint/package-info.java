/** Parts of an endpoint: its time to first byte, its circuit, its active checks, its PROXY header. */
package io.sluice.handlers.upstream.endpoint;
