package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.sluice.handlers.SharedMessage;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Messages that wait in a topic on a bus. */
class BusTopicTest {
    private static final int SIZE = 1 << 20;

    @Test
    void areBoundedInAllTopicsOfASet() {
        var bytes = new AtomicLong();
        List<BusTopic> topics = Stream.generate(() -> new BusTopic(bytes)).limit(20).toList();
        var raw = new SharedMessage(false, Unpooled.wrappedBuffer(new byte[SIZE]));
        for (int number = 1; number < 8; number++) { // within the limit of a topic
            TopicMessage message = TopicMessage.of(new Position(1, number), raw);
            topics.forEach(topic -> topic.addWaiting(message));
            message.release();
            assertThat(bytes).hasValueLessThanOrEqualTo(BusTopic.MAX_WAITING_BYTES_OF_SET);
        }
        assertThat(topics).filteredOn(BusTopic::takeOverflow).isNotEmpty();
        List<TopicMessage> waiting = topics.stream().flatMap(topic -> topic.takeWaiting().stream()).toList();
        assertThat(waiting).hasSizeGreaterThan((int) (BusTopic.MAX_WAITING_BYTES_OF_SET / SIZE) - 14);
        waiting.forEach(TopicMessage::release);
        assertThat(bytes).hasValue(0);
        raw.release();
    }
}
