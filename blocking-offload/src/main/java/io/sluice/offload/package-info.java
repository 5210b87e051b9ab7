/**
 * The only place where anything may block. A pool is N workers and one bounded queue; every task has
 * a deadline, can be cancelled, and is refused at once where it would only wait in vain. Knows
 * Netty's executors and JDBC, but neither channels nor HTTP.
 */
package io.sluice.offload;
