/** The experiment with slow attacks: thousands of clients who keep the gateway waiting, and a neighbour. */
package io.sluice.loadtest.experiments.slow;
