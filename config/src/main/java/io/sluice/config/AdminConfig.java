package io.sluice.config;

/** The listener for operators: {@code sluice.admin}. */
public record AdminConfig(String host, @Range(max = 65_535) int port) {
}
