package io.sluice.config;

import java.util.Map;

/** Where blocking work may run: {@code sluice.offload}. */
public record OffloadConfig(@Restart SpillConfig spill, Map<String, PoolConfig> pools) {
}
