package io.sluice.config;

import io.sluice.config.key.Range;
import java.time.Duration;

/**
 * Logging: {@code sluice.log}.
 *
 * @param slow the duration from which a request is slow
 */
public record LogConfig(
        Format format,
        Level level,
        Access access,
        @Range(max = Range.HOUR) Duration slow) {

    /** The format of log lines; {@code AUTO} is text on a terminal, else JSON. */
    public enum Format { AUTO, TEXT, JSON }

    /** The least severe level that is logged. */
    public enum Level { ERROR, WARN, INFO, DEBUG, TRACE }

    /** The requests that the access log contains. */
    public enum Access { OFF, SLOW_AND_FAILED, ALL }
}
