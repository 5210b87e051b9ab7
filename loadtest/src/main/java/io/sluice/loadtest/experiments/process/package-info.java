/**
 * The process of a measured server, whichever it is: the end with this process, the output, the usage of
 * resources, and their limits.
 */
package io.sluice.loadtest.experiments.process;
