package io.sluice.config.read;


/** The source of the configuration, read at the start and again at each reload. */
@FunctionalInterface
public interface ConfigSource {

    /**
     * Reads and checks the configuration. Blocks.
     *
     * @throws io.sluice.config.problem.ConfigException with every mistake in the configuration
     */
    LoadedConfig load();
}
