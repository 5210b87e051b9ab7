/**
 * Event loops that know how much CPU time each of their tasks takes and for which route it runs: the
 * instrument that holds Sluice to its promise. Knows Netty and nothing of HTTP.
 */
package io.sluice.gateway.loop;
