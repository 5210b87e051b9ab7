/**
 * What the experiments measure: the gateway as a process of its own, in one variant after the other, with
 * a PostgreSQL behind it or beside a server of Netty and nothing else. Known of the gateway are its jar, its
 * command line and its configuration keys.
 */
package io.sluice.loadtest.experiments.server;
