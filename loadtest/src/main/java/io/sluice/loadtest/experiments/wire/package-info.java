/**
 * Blocking clients for virtual threads: HTTP/1.1, HTTP/2 and WebSockets at the level of bytes, so that they
 * can send malformed input and leave responses unread.
 */
package io.sluice.loadtest.experiments.wire;
