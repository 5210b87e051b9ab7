package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.handlers.SharedMessage;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The part of the budget beyond which a topic gives way to the others. */
@Timeout(30)
class KeptMessagesPartTest {
    /** The accounted bytes of a message of one byte to a topic whose name is one letter. */
    private static final int ONE = 512 + 1 + 2;

    private final KeptMessages kept = new KeptMessages(limits(8 * ONE), new KeptMemory(1 << 30), () -> 0,
            () -> { });
    private final Map<String, Integer> published = new HashMap<>();

    @AfterEach
    void close() {
        kept.limit(KeptMessages.Limits.NONE);
        assertThat(kept.bytes()).isZero();
    }

    @Test
    void aTopicBeyondItsPartGivesWayFirst() {
        put(kept, "a", 1, 1);
        put(kept, "b", 1, 1);
        put(kept, "n", 100, 1);

        assertThat(count(kept, "a", 0)).isEqualTo(1);
        assertThat(count(kept, "b", 0)).isEqualTo(1);
        assertThat(kept.after("n", at(93), 9)).isNull();
        assertThat(count(kept, "n", 94)).isEqualTo(6);
    }

    @Test
    void ofTwoSuchTopicsTheLargerOneGivesWay() {
        put(kept, "a", 3, 1);
        put(kept, "b", 5, 1);
        put(kept, "c", 1, 1);

        assertThat(count(kept, "a", 0)).isEqualTo(3);
        assertThat(count(kept, "b", 1)).isEqualTo(4);
    }

    @Test
    void theOldestMessageOfAllIsDroppedIfNoTopicIsBeyondItsPart() {
        for (String topic : List.of("a", "b", "c", "d")) {
            put(kept, topic, 2, 1);
        }
        put(kept, "e", 1, 1);

        assertThat(kept.after("a", at(0), 9)).isNull();
        assertThat(count(kept, "a", 1)).isEqualTo(1);
        assertThat(count(kept, "b", 0)).isEqualTo(2);
    }

    /** Otherwise a large message would not be kept at all while old ones remain. */
    @Test
    void theNewestMessageOfATopicIsSpared() {
        put(kept, "a", 2, 1);
        put(kept, "n", 1, 4 * ONE);
        put(kept, "b", 2, 1);

        assertThat(count(kept, "n", 0)).isEqualTo(1);
        assertThat(count(kept, "a", 1)).isEqualTo(1);
        assertThat(count(kept, "b", 0)).isEqualTo(2);
    }

    @Test
    void partsFollowTheLimit() {
        put(kept, "a", 1, 1);
        put(kept, "n", 2, 1);
        put(kept, "b", 1, 1);
        kept.limit(limits(3 * ONE));

        assertThat(count(kept, "a", 0)).isEqualTo(1);
        assertThat(count(kept, "n", 1)).isEqualTo(1);
        assertThat(count(kept, "b", 0)).isEqualTo(1);
    }

    @Test
    void theLimitOfAllSetsHasSuchParts() {
        var shared = new KeptMemory(8 * ONE);
        var set = new KeptMessages(limits(1 << 20), shared, () -> 0, () -> { });
        put(set, "a", 1, 1);
        put(set, "n", 100, 1);

        assertThat(count(set, "a", 0)).isEqualTo(1);
        assertThat(count(set, "n", 93)).isEqualTo(7);
        set.limit(KeptMessages.Limits.NONE);
    }

    private static KeptMessages.Limits limits(long bytes) {
        return new KeptMessages.Limits(1000, Duration.ofHours(1), bytes);
    }

    private void put(KeptMessages set, String topic, int messages, int size) {
        for (int i = 0; i < messages; i++) {
            SharedMessage raw = TopicRoom.message("x".repeat(size));
            TopicMessage message = TopicMessage.of(at(published.merge(topic, 1, Integer::sum)), raw);
            raw.release();
            set.put(topic, message);
            message.release();
        }
    }

    private static Position at(long offset) {
        return new Position(7, offset);
    }

    private static int count(KeptMessages set, String topic, long after) {
        List<TopicMessage> messages = set.after(topic, at(after), 9);
        assertThat(messages).as("%s after %d", topic, after).isNotNull();
        messages.forEach(TopicMessage::release);
        return messages.size();
    }
}
