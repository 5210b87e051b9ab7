package io.sluice.config.topic;

import io.sluice.config.key.Range;
import io.sluice.config.type.ByteSize;
import java.time.Duration;

/**
 * The messages that are kept for clients that come back: {@code history}.
 *
 * @param messages the number of messages of each topic
 * @param age the time for which a message is kept
 * @param bytes the memory for all topics
 */
public record HistoryConfig(
        @Range(min = 1, max = 100_000) int messages,
        @Range(min = 1000, max = 30 * Range.DAY) Duration age,
        @Range(min = 1, max = 4 * Range.GIB) ByteSize bytes) {
}
