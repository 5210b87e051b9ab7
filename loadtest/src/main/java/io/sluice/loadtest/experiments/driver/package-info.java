/**
 * The load driver: closed and open loops of HTTP requests over kept-alive connections, WebSockets that
 * echo and WebSockets that listen, on Netty.
 *
 * <p>Each load has one event-loop thread of its own; everything that is not public runs on it, so nothing
 * here is locked. Latencies are in nanoseconds until they are reported.
 */
package io.sluice.loadtest.experiments.driver;
