package com.example;

import io.sluice.config.HandlerConfig;
import io.sluice.config.key.Range;
import io.sluice.config.key.Ref;

/** The configuration of a route with {@code handler = dns-lookup}. */
public record DnsLookup(@Ref("offload.pools") String pool, @Range(min = 1, max = 100) int maxAddresses)
        implements HandlerConfig.Plugin {
}
