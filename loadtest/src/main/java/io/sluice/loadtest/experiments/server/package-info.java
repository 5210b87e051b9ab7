/**
 * The servers that the experiments measure: the gateway in a separate process, in one variant after the
 * other, with PostgreSQL, or compared with plain Netty servers. This package depends on the gateway by its
 * jar, its command line and its configuration keys only.
 */
package io.sluice.loadtest.experiments.server;
