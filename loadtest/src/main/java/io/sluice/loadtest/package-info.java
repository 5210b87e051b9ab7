/**
 * Load tests: the workloads of the field reports as Gatling simulations, run from a command line against any
 * server that answers their URLs.
 *
 * <p>Simulations depend on Sluice by their URLs only, so that they can be run against another server for
 * comparison. {@link io.sluice.loadtest.experiments} compares variants of the gateway and therefore starts
 * it, as a separate process; it imports none of its classes.
 */
package io.sluice.loadtest;
