package io.sluice.handlers.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.config.topic.OverBudget;
import io.sluice.handlers.WebSocket.DropReason;
import io.sluice.handlers.topic.TopicRoom;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SocketSubscriberTest {
    /** The accounted bytes of three messages of one byte, with the overhead of each. */
    private static final long THREE = 3 * 257;

    private final TopicRoom room = new TopicRoom(1, 0);

    @AfterEach
    void close() {
        room.close();
    }

    @Test
    void messageOfASocketGoesToAllSubscribersAndItself() {
        RecordedSocket a = room.join("news", 0);
        RecordedSocket b = room.join("news", 0);

        room.text(a, "hello");
        ByteBuf message = PooledByteBufAllocator.DEFAULT.buffer().writeByte('x');
        TopicRoom.on(room.loop(0), () -> room.listener(b).binary(b, message));
        message.release();
        room.settle();

        assertThat(a.received).containsExactly("hello", "x").isEqualTo(b.received);
        assertThat(a.calls).isEmpty();
    }

    @Test
    void aSocketThatMayNotPublishIsClosed() {
        RecordedSocket a = room.join("news", 0, TopicRoom.config(false, THREE, OverBudget.CLOSE));
        RecordedSocket b = room.join("news", 0);

        room.text(a, "hello");
        room.settle();

        assertThat(a.closedWith.code()).isEqualTo(1008);
        assertThat(b.received).isEmpty();
    }

    @Test
    void aClientThatPublishesTooMuchWaitsWhileOthersPublish() {
        try (var two = new TopicRoom(2, 0)) {
            RecordedSocket publisher = two.join("news", 0);
            two.join("news", 1);
            CountDownLatch block = TopicRoom.block(two.loop(1));
            String large = "x".repeat(2 << 20);
            while (publisher.calls.isEmpty()) {
                two.text(publisher, large);
            }

            assertThat(publisher.calls).containsExactly("pause");
            assertThat(two.publish("news", "of another")).isEqualTo(2);
            block.countDown();
            two.settle();
            assertThat(publisher.calls).containsExactly("pause", "resume");
        }
    }

    @Test
    void aSlowClientGetsWhatWaitedInOrder() {
        RecordedSocket slow = stalled(OverBudget.CLOSE, THREE);
        publish("a", "b", "c");
        assertThat(slow.received).isEmpty();

        room.read(slow, 2);
        assertThat(slow.received).containsExactly("a", "b");
        publish("d");
        room.read(slow, 3);
        publish("e");

        assertThat(slow.received).containsExactly("a", "b", "c", "d", "e");
        assertThat(slow.dropped).isEmpty();
        assertThat(slow.closedWith).isNull();
    }

    @Test
    void dropOldestKeepsTheNewestMessages() {
        RecordedSocket slow = stalled(OverBudget.DROP_OLDEST, THREE);
        publish("a", "b", "c", "d", "e");
        room.read(slow, 9);

        assertThat(slow.received).containsExactly("c", "d", "e");
        assertThat(slow.dropped).containsExactly(DropReason.OLDEST, DropReason.OLDEST);
    }

    @Test
    void messageLargerThanTheBudgetIsDroppedAlone() {
        RecordedSocket slow = stalled(OverBudget.DROP_OLDEST, THREE);
        publish("a", "x".repeat(1000), "b");
        room.read(slow, 9);

        assertThat(slow.received).containsExactly("a", "b");
        assertThat(slow.dropped).containsExactly(DropReason.OLDEST);
    }

    @Test
    void latestOnlyKeepsTheNewestMessage() {
        RecordedSocket slow = stalled(OverBudget.LATEST_ONLY, 0);
        publish("a", "b", "c");
        room.read(slow, 9);
        publish("d");

        assertThat(slow.received).containsExactly("c", "d");
        assertThat(slow.dropped).containsExactly(DropReason.NOT_LATEST, DropReason.NOT_LATEST);
    }

    @Test
    void aClientThatIsTooSlowIsClosed() {
        RecordedSocket slow = stalled(OverBudget.CLOSE, THREE);
        publish("a", "b", "c");
        assertThat(slow.closedWith).isNull();
        publish("d", "e");

        assertThat(slow.closedWith.code()).isEqualTo(1013);
        assertThat(slow.dropped).hasSize(4).containsOnly(DropReason.TOO_SLOW);
        assertThat(slow.received).isEmpty();
        assertThat(room.topics.stats().subscribers()).isZero();
    }

    @Test
    void pendingMessagesOfAClosedSocketAreCounted() {
        RecordedSocket slow = stalled(OverBudget.DROP_OLDEST, THREE);
        publish("a", "b");
        room.leave(slow);

        assertThat(slow.dropped).containsExactly(DropReason.CLOSED, DropReason.CLOSED);
    }

    @Test
    void smallMessagesAreBoundedToo() {
        RecordedSocket slow = stalled(OverBudget.DROP_OLDEST, 1024);
        publish("", "", "", "", "");

        assertThat(slow.dropped).hasSize(1);
    }

    @Test
    void aStalledReaderDelaysNobodyAndHoldsItsBudgetAtMost() {
        List<RecordedSocket> readers = IntStream.range(0, 10).mapToObj(_ -> room.join("news", 0)).toList();
        RecordedSocket slow = stalled(OverBudget.DROP_OLDEST, 10 * 1256);
        List<RecordedSocket> more = IntStream.range(0, 10).mapToObj(_ -> room.join("news", 0)).toList();
        IntStream.range(0, 200).forEach(i -> publish("%01000d".formatted(i)));

        assertThat(readers).allSatisfy(reader -> assertThat(reader.received).hasSize(200));
        assertThat(more).allSatisfy(reader -> assertThat(reader.received).hasSize(200));
        assertThat(slow.dropped).hasSize(190).containsOnly(DropReason.OLDEST);
        assertThat(room.topics.stats().bytesUnderWay()).isZero();
    }

    private RecordedSocket stalled(OverBudget overBudget, long budget) {
        RecordedSocket socket = room.join("news", 0, TopicRoom.config(true, budget, overBudget));
        TopicRoom.on(room.loop(0), () -> {
            socket.writable = false;
        });
        return socket;
    }

    private void publish(String... texts) {
        for (String text : texts) {
            room.publish("news", text);
        }
        room.settle();
    }
}
