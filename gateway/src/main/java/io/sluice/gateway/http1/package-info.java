/** HTTP/1.1 and 1.0 (RFC 9112), decoded strictly. Its pipeline is drawn in Http1Pipeline. */
package io.sluice.gateway.http1;
