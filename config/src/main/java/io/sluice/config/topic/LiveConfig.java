package io.sluice.config.topic;

import io.sluice.config.key.Range;
import io.sluice.config.key.Ref;
import io.sluice.config.type.ByteSize;
import java.time.Duration;

/**
 * Results that are sent again when a topic has a message: {@code live} of a query.
 *
 * @param topics the set with the topic
 * @param topic the topic of a request, with parameters of the query in braces
 * @param interval the shortest time from the end of a run to the next one of the same result
 * @param heartbeat the time after which a comment is sent
 * @param maxSize the largest size of a result
 * @param maxResults the number of different results that streams wait for at a time
 */
public record LiveConfig(
        @Ref("topics") String topics,
        TopicTemplate topic,
        @Range(min = 10, max = Range.HOUR) Duration interval,
        @Range(min = 100, max = Range.HOUR) Duration heartbeat,
        @Range(min = 1024, max = Range.GIB / 16) ByteSize maxSize,
        @Range(min = 1, max = 100_000) int maxResults) {
}
