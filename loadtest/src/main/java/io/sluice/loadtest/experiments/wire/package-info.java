/**
 * Clients that block, each on a virtual thread of its own: HTTP/1.1, HTTP/2 and WebSockets, byte by byte, so
 * that they can send what no well-behaved client sends, and leave unread what it would read.
 */
package io.sluice.loadtest.experiments.wire;
