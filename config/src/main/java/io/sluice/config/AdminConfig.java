package io.sluice.config;

import io.sluice.config.key.Range;
import java.util.Optional;
import java.util.Set;

/**
 * The listener for operators: {@code sluice.admin}.
 *
 * @param host the address to bind
 * @param allowedHosts host names that requests may be for, besides IP addresses and local names
 */
public record AdminConfig(String host, @Range(max = 65_535) int port, Optional<Set<String>> allowedHosts) {
}
