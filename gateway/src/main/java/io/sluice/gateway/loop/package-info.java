/**
 * Event loops that meter the CPU time of each of their tasks and the route that it ran for, so that a handler
 * that occupies an event loop is found; and their watchdog, which runs periodic steps. Depends on Netty;
 * independent of HTTP.
 */
package io.sluice.gateway.loop;
