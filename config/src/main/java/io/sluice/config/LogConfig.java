package io.sluice.config;

import java.time.Duration;

/** What is logged and how: {@code sluice.log}. */
public record LogConfig(
        Format format,
        Level level,
        Access access,
        @Range(max = Range.HOUR) Duration slow) {

    /** How a log line looks. */
    public enum Format { AUTO, TEXT, JSON }

    /** The least severe level that is written. */
    public enum Level { ERROR, WARN, INFO, DEBUG, TRACE }

    /** Which requests the access log tells of. */
    public enum Access { OFF, SLOW_AND_FAILED, ALL }
}
