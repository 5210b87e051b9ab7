/**
 * Pools for blocking work, the only place where anything may block, and for work that is done elsewhere. A
 * pool is N permits and one bounded queue; a permit stands for a worker, or a request to an upstream. Every
 * task has a deadline, can be cancelled, and is refused at once if it would miss its deadline.
 * This package uses Netty's executors and JDBC, but neither channels nor HTTP.
 */
package io.sluice.offload;
