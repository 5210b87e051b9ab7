package io.sluice.gateway;

import io.sluice.config.read.LoadedConfig;

/** Where the configuration comes from: at the start, and at each reload again. */
@FunctionalInterface
interface ConfigSource {

    /**
     * Reads and checks it; blocks.
     *
     * @throws io.sluice.config.read.ConfigException with every mistake in it
     */
    LoadedConfig load();
}
