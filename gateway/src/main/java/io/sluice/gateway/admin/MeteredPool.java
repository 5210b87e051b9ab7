package io.sluice.gateway.admin;

import io.sluice.gateway.metrics.PoolMeters;
import io.sluice.offload.Offload;

/** An offload pool and its meters. */
public record MeteredPool(Offload offload, PoolMeters meters) {
}
