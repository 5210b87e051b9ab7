/**
 * Load tests: the workloads of the field reports as Gatling simulations, run from a command line
 * against any server that answers their URLs.
 *
 * <p>Simulations know URLs and nothing else of Sluice, so each can be pointed at another server and the
 * figures compared. {@link io.sluice.loadtest.experiments} compares ways to run the gateway, so it starts
 * the gateway itself; it imports nothing of it either.
 */
package io.sluice.loadtest;
