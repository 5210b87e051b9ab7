package io.sluice.config.topic;

import io.sluice.config.key.Range;
import io.sluice.config.key.Ref;
import io.sluice.config.type.ByteSize;
import java.util.Map;
import java.util.Optional;

/**
 * A set of topics that routes share: {@code sluice.topics.<name>}.
 *
 * @param bus the bus that carries messages between gateways; empty if topics are of this process
 * @param lastMessages the memory for the last message of each topic, sent to later subscribers; 0 keeps none
 * @param history the messages that are kept for clients that come back; empty for none
 * @param source the database whose messages are published, too
 * @param rights by the {@link TopicPattern} of topics, the rights to them; empty if everybody has all
 * @param presence the way in which clients know who is subscribed; empty if they do not
 */
public record TopicsConfig(
        @Ref("buses") Optional<String> bus,
        @Range(max = Range.GIB) ByteSize lastMessages,
        Optional<HistoryConfig> history,
        Optional<SourceConfig> source,
        Map<String, RightsConfig> rights,
        Optional<PresenceConfig> presence) {

    /** Creates a set of topics to which everybody has all rights, without presence. */
    public TopicsConfig(Optional<String> bus, ByteSize lastMessages, Optional<HistoryConfig> history,
                        Optional<SourceConfig> source) {
        this(bus, lastMessages, history, source, Map.of(), Optional.empty());
    }
}
