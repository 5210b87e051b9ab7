/**
 * The setup of the gateway for the experiments with hostile clients and faults: its configuration, and the
 * limits of its process.
 */
package io.sluice.loadtest.experiments.site;
