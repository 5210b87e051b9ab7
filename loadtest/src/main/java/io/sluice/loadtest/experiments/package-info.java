/**
 * Experiments: the gateway in variants of itself, or beside servers of Netty or Tomcat and nothing else,
 * started, driven and compared on one machine, with a table and a plot for each.
 *
 * <p>{@link io.sluice.loadtest.experiments.Experiment} names them, and
 * {@link io.sluice.loadtest.experiments.Suite} what is asked for and reported together. Variants are
 * measured in alternating rounds, each in a fresh process, and medians are quoted.
 */
package io.sluice.loadtest.experiments;
