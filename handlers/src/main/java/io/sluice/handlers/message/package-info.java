/**
 * Parts of HTTP messages besides Netty's types: headers in one array, checks of fields and trailers, chunked
 * bodies, responses from an array.
 */
package io.sluice.handlers.message;
