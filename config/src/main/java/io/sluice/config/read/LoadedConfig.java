package io.sluice.config.read;

import io.sluice.config.GatewayConfig;
import io.sluice.config.type.FileState;
import java.nio.file.Path;
import java.util.Map;

/**
 * A configuration that has been read and checked.
 *
 * @param files the files that it was read from: the user's, those that it includes, missing ones that it
 *     would include, and SQL files; with their states before they were read
 */
public record LoadedConfig(GatewayConfig config, Map<Path, FileState> files, EffectiveConfig effective) {
}
