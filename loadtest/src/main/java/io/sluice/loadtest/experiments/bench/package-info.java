/** The workbench of the experiments: the gateway's jar, the durations, and the progress. */
package io.sluice.loadtest.experiments.bench;
