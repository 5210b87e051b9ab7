/**
 * The experiment with slow attacks: thousands of clients that make the gateway wait, and a well-behaved one.
 */
package io.sluice.loadtest.experiments.slow;
