package io.sluice.config.read;

import io.sluice.config.GatewayConfig;
import java.nio.file.Path;
import java.util.List;

/**
 * A configuration that has been read.
 *
 * @param files that it was read from: the user's, those that it includes, and those that it would include if
 *     they were there
 */
public record LoadedConfig(GatewayConfig config, List<Path> files, EffectiveConfig effective) {
}
