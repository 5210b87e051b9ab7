/** The workloads of the field reports as Gatling simulations, which know URLs and nothing else of Sluice. */
package io.sluice.loadtest.simulations;
