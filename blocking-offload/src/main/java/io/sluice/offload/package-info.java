/**
 * Pools for blocking work, the only place where anything may block. A pool is N workers and one bounded
 * queue. Every task has a deadline, can be cancelled, and is refused at once if it would miss its deadline.
 * This package uses Netty's executors and JDBC, but neither channels nor HTTP.
 */
package io.sluice.offload;
