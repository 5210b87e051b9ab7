/**
 * The responses of the servers that the gateway is compared with: those of its demo, and of its SQL routes,
 * computed in the same way, once for Netty and once for servlets.
 */
package io.sluice.loadtest.experiments.peer;
