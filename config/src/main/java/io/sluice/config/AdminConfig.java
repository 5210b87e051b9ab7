package io.sluice.config;

import java.util.Optional;
import java.util.Set;

/**
 * The listener for operators: {@code sluice.admin}.
 *
 * @param host to bind
 * @param allowedHosts names with dots that requests may be for
 */
public record AdminConfig(String host, @Range(max = 65_535) int port, Optional<Set<String>> allowedHosts) {
}
