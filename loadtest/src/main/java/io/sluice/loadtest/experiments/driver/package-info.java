/**
 * The load driver: closed and open loops of HTTP requests over kept-alive connections, WebSockets that echo
 * and WebSockets that listen, on Netty.
 *
 * <p>Each load has a separate event-loop thread, on which everything runs that is not public; therefore there
 * are no locks. Latencies are in nanoseconds until they are reported.
 */
package io.sluice.loadtest.experiments.driver;
