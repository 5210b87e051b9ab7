package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.handlers.MemoryShare;
import io.sluice.handlers.websocket.RecordedSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics on a bus that loses messages. */
@Timeout(60)
class ContinuityTest {
    private final MemoryBusServer server = new MemoryBusServer();

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void aGapIsFilledFromTheHistoryOrTold(int history) throws Exception {
        try (var node = new TopicNode(server, history)) {
            RecordedSocket raw = node.join("t", null);
            RecordedSocket placed = node.join("t", "");
            node.publish("t", "a");
            TopicRoom.await(() -> node.data(placed).size() == 1);
            server.lose(2);
            IntStream.range(0, 30).forEach(i -> node.publish("t", "m" + i));
            TopicRoom.await(() -> node.data(placed).getLast().equals("m29"));

            List<String> from = IntStream.range(history == 0 ? 2 : 0, 30).mapToObj(i -> "m" + i).toList();
            assertThat(node.data(placed)).startsWith("a", history == 0 ? "resync" : "m0")
                    .endsWith(from.toArray(String[]::new)).hasSize(history == 0 ? 30 : 31);
            assertThat(node.received(raw)).startsWith("a").endsWith(from.toArray(String[]::new))
                    .hasSize(1 + from.size());
            assertThat(node.topics.stats().gaps()).isEqualTo(1);
            assertThat(node.topics.stats().resyncs()).isEqualTo(history == 0 ? 1 : 0);
        }
    }

    /** A check reads on another connection, whose answer can overtake messages. */
    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void aCheckDropsNothingThatIsUnderWayAndTellsWhatIsLost(int history) throws Exception {
        try (var node = new TopicNode(server, history)) {
            RecordedSocket placed = node.join("t", "");
            node.publish("t", "a");
            TopicRoom.await(() -> node.data(placed).size() == 1);
            server.delay();
            node.publish("t", "b");
            var read = new CountDownLatch(1);
            server.onRead = read::countDown;
            read.await();
            server.arrive();
            TopicRoom.await(() -> node.data(placed).size() == 2);
            server.lose(1);
            node.publish("t", "c");
            TopicRoom.await(() -> node.data(placed).size() == 3);
            node.publish("t", "d");
            TopicRoom.await(() -> node.data(placed).size() == 4);

            assertThat(node.data(placed)).containsExactly("a", "b", history == 0 ? "resync" : "c", "d");
        }
    }

    @Test
    void checksGoOnWhateverTheBusThrows() throws Exception {
        try (var node = new TopicNode(server, 100)) {
            RecordedSocket placed = node.join("t", "");
            node.publish("t", "a");
            TopicRoom.await(() -> node.data(placed).size() == 1);
            var read = new CountDownLatch(1);
            server.onRead = () -> {
                read.countDown();
                throw new StackOverflowError("thrown by a test");
            };
            read.await();
            server.onRead = () -> { };
            server.lose(1);
            node.publish("t", "b");
            TopicRoom.await(() -> node.data(placed).size() == 2);
        }
    }

    /** Its messages come later than those of the gateway from which the client comes. */
    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void aClientThatIsAheadOfItsGatewayGetsNothingTwice(int history) throws Exception {
        try (var ahead = new TopicNode(server, history); var behind = new TopicNode(server, history)) {
            RecordedSocket here = ahead.join("t", "");
            RecordedSocket there = behind.join("t", "");
            CountDownLatch cutOff = behind.cutOff();
            ahead.publish("t", "a");
            TopicRoom.await(() -> ahead.data(here).size() == 1);
            RecordedSocket moved = behind.join("t", ahead.seen(here));
            cutOff.countDown();
            TopicRoom.await(() -> behind.data(there).size() == 1);
            ahead.publish("t", "b");
            TopicRoom.await(() -> !behind.data(moved).isEmpty());

            // Without a history "b" may come before the gateway looks again; then that is told.
            assertThat(behind.data(moved)).containsAnyOf("b", history == 0 ? "resync" : "b").hasSize(1);
        }
    }

    /** Each would ask the bus again and again for what comes next. */
    @Test
    void clientsThatAreAheadReadSeldomWhileTheirGatewayIsBehind() throws Exception {
        try (var ahead = new TopicNode(server, 100); var behind = new TopicNode(server, 100)) {
            RecordedSocket there = behind.join("t", "");
            behind.publish("t", "a");
            TopicRoom.await(() -> behind.data(there).size() == 1);
            behind.topics.table.bytesUnderWay.add(null, MemoryShare.UNDER_WAY);
            String seen = ahead.publish("t", "b").toString();
            TopicRoom.await(() -> behind.topics.stats().gaps() == 1);
            var reads = new AtomicInteger();
            server.onRead = reads::incrementAndGet;
            long begun = System.nanoTime();
            List<RecordedSocket> moved = IntStream.range(0, 10)
                    .mapToObj(_ -> behind.open("t", seen)).toList();
            TopicRoom.await(() -> System.nanoTime() - begun > Duration.ofSeconds(1).toNanos());
            assertThat(reads).hasValueBetween(2, 40);

            ahead.publish("t", "c");
            for (RecordedSocket socket : moved) {
                TopicRoom.await(() -> behind.data(socket).equals(List.of("c")));
            }
            assertThat(behind.data(there)).as("while the gateway is behind").containsExactly("a");
            behind.topics.table.bytesUnderWay.add(null, -MemoryShare.UNDER_WAY);
            ahead.publish("t", "d");
            TopicRoom.await(() -> behind.data(there).equals(List.of("a", "b", "c", "d")));
            for (RecordedSocket socket : moved) {
                TopicRoom.await(() -> behind.data(socket).equals(List.of("c", "d")));
            }
        }
    }

    /** Each time that a socket becomes writable, its catch-up goes on. */
    @Test
    void aClientThatBecomesWritableDuringAReadGetsNothingTwice() throws Exception {
        try (var node = new TopicNode(server, 100)) {
            RecordedSocket stays = node.join("t", "");
            node.publish("t", "a");
            TopicRoom.await(() -> node.data(stays).size() == 1);
            String seen = node.seen(stays);
            server.stop();
            server.startEmpty();
            node.publish("t", "b");
            TopicRoom.await(() -> node.data(stays).contains("b"));

            CountDownLatch cutOff = node.cutOff();
            RecordedSocket back = node.join("t", seen);
            TopicRoom.on(node.loop(), () -> node.listener(back).writable(back));
            cutOff.countDown();
            TopicRoom.await(() -> node.data(back).contains("b"));
            node.publish("t", "c");
            TopicRoom.await(() -> node.data(back).contains("c"));
            assertThat(node.data(back)).containsExactly("resync", "b", "c");
        }
    }

    @Test
    void laterSubscribersGetTheLastMessageAlsoIfItWasLostHere() throws Exception {
        try (var node = new TopicNode(server, 0, 1 << 20, TopicNode.SHORT_LINGER_MILLIS)) {
            RecordedSocket placed = node.join("t", "");
            node.publish("t", "a");
            TopicRoom.await(() -> node.data(placed).size() == 1);
            server.lose(2);
            node.publish("t", "b");
            node.publish("t", "c");
            TopicRoom.await(() -> node.data(placed).equals(List.of("a", "resync")));
            TopicRoom.await(() -> node.topics.stats().bytesKept() > 0);

            assertThat(node.data(node.join("t", ""))).containsExactly("c");
        }
    }

    /** As after a failover, when two connections are not to the same server for a moment. */
    @Test
    void aMessageOfAnEpochThatHasEndedCausesOneReadAndIsDropped() throws Exception {
        try (var node = new TopicNode(server, 100)) {
            RecordedSocket placed = node.join("t", "");
            Position at = node.publish("t", "a");
            server.deliver("t", new Position(at.epoch() ^ 1, 7));
            IntStream.range(0, 5).forEach(i -> node.publish("t", "m" + i));
            TopicRoom.await(() -> node.data(placed).size() == 6);

            assertThat(node.data(placed)).containsExactly("a", "m0", "m1", "m2", "m3", "m4");
            assertThat(node.topics.stats().gaps()).isEqualTo(1);
        }
    }

    /**
     * A bus hands a loop no more messages than it can send. The loop reads the others from the history later.
     */
    @Test
    void messagesThatComeFasterThanTheyCanBeSentComeFromTheHistory() throws Exception {
        try (var node = new TopicNode(server, 5000)) {
            RecordedSocket placed = node.join("t", "");
            List<RecordedSocket> crowd = IntStream.range(0, 1024)
                    .mapToObj(_ -> node.join("t", null)).toList();
            CountDownLatch block = TopicRoom.block(node.loop());
            IntStream.range(0, 1500).forEach(i -> {
                var message = TopicRoom.message("m" + i);
                node.topics.publish("t", message, null, null, node.loop());
                message.release();
            });
            TopicRoom.await(() -> node.topics.stats().gaps() > 0);
            block.countDown();
            TopicRoom.await(() -> node.data(placed).size() == 1500);

            List<String> all = IntStream.range(0, 1500).mapToObj(i -> "m" + i).toList();
            assertThat(node.data(placed)).isEqualTo(all);
            assertThat(crowd).allSatisfy(socket -> assertThat(node.received(socket)).isEqualTo(all));
        }
    }

    @Test
    void aTopicIsUnsubscribedSomeTimeAfterItsLastSubscriberHasLeft() throws Exception {
        try (var node = new TopicNode(server, 10, 0, 200)) {
            RecordedSocket first = node.join("t", null);
            node.leave(first);
            RecordedSocket second = node.join("t", null);
            node.publish("t", "a");
            TopicRoom.await(() -> node.received(second).size() == 1);
            node.leave(second);
            assertThat(node.topics.stats().topics()).isEqualTo(1);
            TopicRoom.await(() -> node.topics.stats().topics() == 0);
            assertThat(node.topics.stats().bytesKept()).isZero();
        }
    }
}
