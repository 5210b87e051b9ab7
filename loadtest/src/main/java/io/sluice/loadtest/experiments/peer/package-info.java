/**
 * What the servers answer that the gateway is compared with: what its demo answers, computed as there,
 * once for Netty and once for servlets.
 */
package io.sluice.loadtest.experiments.peer;
