package io.sluice.config.topic;

import io.sluice.config.key.Range;
import java.time.Duration;

/**
 * The key {@code presence} of a set of topics, whose clients can ask for the members of a topic.
 *
 * @param interval the time over which changes are collected
 * @param members the number of names that are listed
 * @param leaveAfter the time for which a member stays without a connection
 * @param expiry the time after which members of a gateway leave that does not report any more
 */
public record PresenceConfig(
        @Range(min = 10, max = Range.HOUR) Duration interval,
        @Range(min = 1, max = 10_000) int members,
        @Range(max = Range.HOUR) Duration leaveAfter,
        @Range(min = 100, max = Range.HOUR) Duration expiry) {
    /** The number of reports of a gateway within the expiry. */
    public static final int REPORTS = 3;
}
