/** The client side of a connection of HTTP/2: frames, fields and flow control. Knows no upstreams. */
package io.sluice.handlers.upstream.http2;
