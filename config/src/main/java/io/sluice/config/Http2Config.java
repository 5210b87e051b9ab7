package io.sluice.config;

import io.sluice.config.key.Range;
import io.sluice.config.type.ByteSize;
import java.time.Duration;

/**
 * Limits of an HTTP/2 connection: {@code sluice.http2}.
 *
 * @param initialWindow the flow-control window of each stream for request bodies
 * @param streamBuffer unsent bytes of a stream beyond which the producer of its response waits
 * @param interval the period to which {@code maxResets} and {@code maxControlFrames} apply
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
