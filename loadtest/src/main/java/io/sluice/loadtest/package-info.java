/**
 * Load tests: the workloads of the field reports as Gatling simulations, run from a command line
 * against any server that answers their URLs.
 *
 * <p>This room knows URLs and nothing else of Sluice, so every simulation can be pointed at another
 * server and the figures compared.
 */
package io.sluice.loadtest;
