/** The streams of HTTP/2 (RFC 9113), each with one request; their pipeline is drawn in Http2Pipeline. */
package io.sluice.gateway.http2;
