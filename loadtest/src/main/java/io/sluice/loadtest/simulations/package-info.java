/** The workloads of the field reports as Gatling simulations, which depend on Sluice by their URLs only. */
package io.sluice.loadtest.simulations;
