package com.example;

import io.sluice.config.HandlerConfig;
import io.sluice.config.key.Ref;

/** The configuration of a route with {@code handler = shout}. */
public record Shout(@Ref("offload.pools") String pool, String suffix) implements HandlerConfig.Plugin {
}
