/** The meters that Prometheus scrapes. All meters are registered here. */
package io.sluice.gateway.metrics;
