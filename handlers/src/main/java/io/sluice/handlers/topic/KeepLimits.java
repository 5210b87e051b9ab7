package io.sluice.handlers.topic;

import java.time.Duration;

/**
 * Limits of the messages that are kept.
 *
 * @param messages the number for each topic; 0 keeps none
 * @param age the time for which a message is kept
 * @param bytes the memory for all topics
 */
record KeepLimits(int messages, Duration age, long bytes) {
    static final KeepLimits NONE = new KeepLimits(0, Duration.ZERO, 0);

    /** Returns the limits of the last message of each topic, which is kept at any age. */
    static KeepLimits ofLast(long bytes) {
        return bytes == 0 ? NONE : new KeepLimits(1, Duration.ofNanos(Long.MAX_VALUE), bytes);
    }
}
