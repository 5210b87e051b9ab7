package io.sluice.config.topic;

import io.sluice.config.key.Range;
import io.sluice.config.type.ByteSize;
import java.util.Optional;

/**
 * A set of topics that routes share: {@code sluice.topics.<name>}.
 *
 * @param lastMessages the memory for the last message of each topic, sent to later subscribers; 0 keeps none
 * @param source the database whose messages are published, too
 */
public record TopicsConfig(@Range(max = Range.GIB) ByteSize lastMessages, Optional<SourceConfig> source) {
}
