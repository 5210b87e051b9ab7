/**
 * The experiment with faults: requests whose right answers are known go through a balancer to one gateway or
 * two, while databases, descriptors, disks, memory and processes fail.
 */
package io.sluice.loadtest.experiments.faults;
