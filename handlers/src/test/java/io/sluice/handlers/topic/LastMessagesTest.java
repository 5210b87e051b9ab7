package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.WebSocketListener;
import io.sluice.handlers.websocket.RecordedSocket;
import io.sluice.handlers.websocket.TopicHandler;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LastMessagesTest {
    /** A message of one byte to a topic whose name is one letter. */
    private static final int ONE = 256 + 1 + 2;

    private final LastMessages last = new LastMessages(3 * ONE);

    @AfterEach
    void close() {
        last.limit(0);
        assertThat(last.bytes()).isZero();
        put("a", "too late");
        assertThat(get("a")).isNull();
    }

    @Test
    void theNewestOfATopicIsKept() {
        put("a", "1");
        put("a", "2");

        assertThat(get("a")).isEqualTo("2");
        assertThat(last.bytes()).isEqualTo(ONE);
    }

    @Test
    void whatWasPublishedLongestAgoIsForgottenFirst() {
        put("a", "1");
        put("b", "2");
        put("c", "3");
        put("a", "4");
        put("d", "5");

        assertThat(get("a")).isEqualTo("4");
        assertThat(get("b")).isNull();
        assertThat(get("c")).isEqualTo("3");
        assertThat(get("d")).isEqualTo("5");
    }

    @Test
    void oneLargerThanTheBudgetIsNotKeptNorTheOneBeforeIt() {
        put("a", "1");
        put("b", "2");
        put("a", "x".repeat(3 * ONE));

        assertThat(get("a")).isNull();
        assertThat(get("b")).isEqualTo("2");
    }

    @Test
    void aBudgetOfZeroKeepsNone() {
        var none = new LastMessages(0);
        SharedMessage message = TopicRoom.message("");
        none.put("", message);
        assertThat(none.get("")).isNull();
        assertThat(message.release()).isTrue();
    }

    @Test
    void whoSubscribesGetsTheLastMessageFirstAndOnce() {
        try (var room = new TopicRoom(1, 1000)) {
            RecordedSocket early = room.join("news", 0);
            var late = new RecordedSocket(room.loop(0));
            WebSocketListener listener = new TopicHandler(() -> TopicRoom.ANY, room.topics)
                    .accept(new FakeExchange().with("topic", "news"));
            TopicRoom.on(room.loop(0), () -> {
                room.publish("news", "a");
                room.publish("news", "b");
                // Both are still on their way to this loop.
                listener.opened(late);
                assertThat(late.received).containsExactly("b");
            });
            room.publish("news", "c");
            room.settle();

            assertThat(early.received).containsExactly("a", "b", "c");
            assertThat(late.received).containsExactly("b", "c");
            room.publish("news", "x".repeat(1000));
            room.settle();
            assertThat(room.topics.stats().bytesKept()).isZero();
            TopicRoom.on(room.loop(0), () -> listener.closed(late));
        }
    }

    private void put(String topic, String text) {
        SharedMessage message = TopicRoom.message(text);
        last.put(topic, message);
        message.release();
    }

    private String get(String topic) {
        SharedMessage message = last.get(topic);
        if (message == null) {
            return null;
        }
        var bytes = message.as((_, payload) -> payload.retainedDuplicate());
        String text = bytes.toString(StandardCharsets.UTF_8);
        bytes.release();
        message.release();
        return text;
    }
}
