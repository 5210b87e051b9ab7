/** The workbench of the experiments: the gateway's jar, how long everything takes, and the progress. */
package io.sluice.loadtest.experiments.bench;
