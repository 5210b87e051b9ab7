/** What Prometheus sees. The only place that knows Micrometer. */
package io.sluice.gateway.metrics;
