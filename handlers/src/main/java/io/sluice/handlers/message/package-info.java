/**
 * Parts of HTTP messages beside Netty's types: headers in one array, checks of fields and trailers, chunked
 * bodies, responses from an array.
 */
package io.sluice.handlers.message;
