/** The soak: every attack and every fault by turns, and what the gateway holds after each. */
package io.sluice.loadtest.experiments.soak;
