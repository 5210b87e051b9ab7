/** Proxies before one origin: the gateway, those of the machine's distribution, and plain Netty. */
package io.sluice.loadtest.experiments.proxy;
