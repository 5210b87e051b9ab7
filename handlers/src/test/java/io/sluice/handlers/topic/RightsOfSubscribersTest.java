package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.sluice.config.topic.HistoryConfig;
import io.sluice.config.topic.RightsConfig;
import io.sluice.config.topic.TopicsConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.handlers.websocket.RecordedSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Subscribers whose right a reload takes away. */
class RightsOfSubscribersTest {

    private static TopicsConfig config(Map<String, RightsConfig> rights) {
        return new TopicsConfig(Optional.empty(), new ByteSize(0), Optional.of(new HistoryConfig(10,
                Duration.ofHours(1), new ByteSize(1 << 20))), Optional.empty(), rights, Optional.empty());
    }

    private static final TopicsConfig CLOSED = config(Map.of(
            "a.*", new RightsConfig(Optional.of(Set.of()), Optional.empty()),
            "**", new RightsConfig(Optional.empty(), Optional.empty())));

    @Test
    void allOfATopicAreEndedInTurnsAndThoseOfOthersStay() {
        try (var room = new TopicRoom(2, config(Map.of()))) {
            var closed = new ArrayList<RecordedSocket>();
            for (int i = 0; i < 500; i++) {
                closed.add(room.join("a.b", i));
            }
            RecordedSocket other = room.join("b", 0);
            room.topics.update(CLOSED);
            TopicRoom.await(() -> room.topics.stats().subscribers() == 1);
            room.settle();
            assertThat(closed).allMatch(socket -> socket.closedWith == WebSocketCloseStatus.POLICY_VIOLATION);
            assertThat(room.publish("b", "hi")).isEqualTo(1);
            room.settle();
            assertThat(other.received).containsExactly("hi");
        }
    }

    @Test
    void oneThatCatchesUpIsEndedBeforeItGetsMore() {
        try (var room = new TopicRoom(1, config(Map.of()))) {
            RecordedSocket first = room.follow("a.b", 0, "");
            room.settle();
            String begin = first.received.getFirst().replaceAll(".*\"id\":\"|\".*", "");
            room.leave(first);
            room.publish("a.b", "missed");
            var slow = new RecordedSocket(room.loop(0));
            slow.writable = false;
            room.follow("a.b", slow, begin, TopicRoom.ANY);
            room.topics.update(CLOSED);
            room.settle();

            slow.writable = true;
            TopicRoom.on(slow.eventLoop(), () -> room.listener(slow).writable(slow));
            TopicRoom.await(() -> slow.closedWith != null);
            assertThat(slow.closedWith).isEqualTo(WebSocketCloseStatus.POLICY_VIOLATION);
            assertThat(List.copyOf(slow.received)).isEmpty();
        }
    }

    @Test
    void oneWhoseMessagesAreOnTheirWayFromTheBusDoesNotGetThem() throws Exception {
        try (var server = new MemoryBusServer(); var one = new TopicNode(server, 100);
                var other = new TopicNode(server, 100)) {
            String begin = other.publish("a.b", "seen").toString();
            other.publish("a.b", "missed");
            one.join("a.b", "");
            CountDownLatch onTheWay = one.cutOff();
            RecordedSocket back = one.join("a.b", begin);
            one.topics.update(CLOSED);
            onTheWay.countDown();

            TopicRoom.await(() -> back.closedWith != null);
            assertThat(back.closedWith).isEqualTo(WebSocketCloseStatus.POLICY_VIOLATION);
            assertThat(one.received(back)).isEmpty();
        }
    }
}
