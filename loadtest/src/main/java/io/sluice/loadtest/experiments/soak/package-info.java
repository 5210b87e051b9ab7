/** The soak: all attacks and faults in turns, and the gateway's resources after each. */
package io.sluice.loadtest.experiments.soak;
