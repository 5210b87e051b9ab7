package io.sluice.config.read;

import io.sluice.config.GatewayConfig;
import java.nio.file.Path;
import java.util.List;

/**
 * A configuration that has been read and checked.
 *
 * @param files the files that it was read from: the user's, those that it includes, missing ones that it
 *     would include, and SQL files
 */
public record LoadedConfig(GatewayConfig config, List<Path> files, EffectiveConfig effective) {
}
