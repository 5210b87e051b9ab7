/**
 * Experiments: the gateway in variants of itself, or beside a server of Netty and nothing else, started,
 * driven and compared on one machine, with a table and a plot for each.
 *
 * <p>{@link io.sluice.loadtest.experiments.Experiment} names them; each is a class of its own. Variants are
 * measured in alternating rounds, each in a fresh process, and medians are quoted.
 */
package io.sluice.loadtest.experiments;
