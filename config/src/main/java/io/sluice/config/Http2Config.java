package io.sluice.config;

import io.sluice.config.type.ByteSize;
import java.time.Duration;

/**
 * What one connection of HTTP/2 may ask for: {@code sluice.http2}.
 *
 * @param initialWindow of each stream, for bodies of requests
 * @param streamBuffer what a stream may have unsent
 * @param interval that maxResets and maxControlFrames count for
 */
public record Http2Config(
        @Range(min = 1, max = 10_000) int maxConcurrentStreams,
        @Range(min = 1024, max = 16 * Range.MIB) ByteSize initialWindow,
        @Range(min = 1024, max = Range.GIB) ByteSize streamBuffer,
        @Range(min = 1, max = 1_000_000) int maxResets,
        @Range(min = 1, max = 1_000_000) int maxControlFrames,
        @Range(min = 100, max = Range.HOUR) Duration interval,
        @Range(min = 1, max = 1_000_000) int maxUnsentReplies,
        @Range(min = 1, max = 10_000) int maxSmallContinuations) {
}
