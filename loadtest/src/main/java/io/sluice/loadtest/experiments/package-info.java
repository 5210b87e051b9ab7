/**
 * Experiments. Each starts variants of the gateway, or the gateway and plain Netty or Tomcat servers, on one
 * machine, puts them under load and compares them in a table and a plot.
 *
 * <p>{@link io.sluice.loadtest.experiments.Experiment} lists the experiments, and {@link
 * io.sluice.loadtest.experiments.Suite} those that are run and reported together. Variants are measured in
 * alternating rounds, each in a fresh process, and medians are quoted.
 */
package io.sluice.loadtest.experiments;
