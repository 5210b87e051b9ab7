package io.sluice.gateway.metrics;

import io.sluice.handlers.upstream.Upstream;

/** An upstream and its meters. */
public record MeteredUpstream(Upstream upstream, UpstreamMeters meters) {
}
