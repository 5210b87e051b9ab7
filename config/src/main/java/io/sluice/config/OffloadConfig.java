package io.sluice.config;

import io.sluice.config.key.Restart;
import java.util.Map;

/** Pools of workers for blocking tasks, and disk space for responses and uploads: {@code sluice.offload}. */
public record OffloadConfig(@Restart SpillConfig spill, Map<String, PoolConfig> pools) {
}
