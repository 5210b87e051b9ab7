/**
 * The experiments with several gateways: clients that follow topics while a gateway, Redis or PostgreSQL
 * is killed, and the latency of messages that cross gateways.
 */
package io.sluice.loadtest.experiments.nodes;
