package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.util.concurrent.Future;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.websocket.RecordedSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract of the topics of several gateways on one bus. */
public abstract class TopicsOnBusContract extends PresenceOnBusContract {

    private static void awaitData(TopicNode node, RecordedSocket socket, String... texts) {
        TopicRoom.await(() -> node.data(socket).size() >= texts.length);
        assertThat(node.data(socket)).containsExactly(texts);
    }

    @Test
    void aMessageReachesTheSocketsOfAllNodes() throws Exception {
        try (var one = new TopicNode(server(), 0); var other = new TopicNode(server(), 0)) {
            RecordedSocket raw = one.join("t", null);
            RecordedSocket placed = other.join("t", "");
            Position first = one.publish("t", "a");
            Position second = other.publish("t", "b");

            TopicRoom.await(() -> one.received(raw).size() == 2);
            assertThat(one.received(raw)).containsExactly("a", "b");
            awaitData(other, placed, "a", "b");
            assertThat(second).isEqualTo(first.next()).hasToString(other.seen(placed));
        }
    }

    /** It may have failed when later ones were on their way. */
    @Test
    void aMessageIsRefusedWithoutTheOneBeforeIt() throws Exception {
        try (var node = new TopicNode(server(), 0)) {
            RecordedSocket socket = node.join("t", null);
            var second = new Bus.Key("k2", "k1");
            Future<Published> early = node.publish("t", "2", second);
            assertThat(early.cause()).isInstanceOf(HttpException.class).hasMessageNotContaining("may or may");
            Position first = node.publish("t", "1", Bus.Key.of("k1")).getNow().position();
            Position next = node.publish("t", "2", second).getNow().position();
            Future<Published> again = node.publish("t", "2", new Bus.Key("k2", "gone"));

            assertThat(again.getNow().position()).isEqualTo(next).isEqualTo(first.next());
            TopicRoom.await(() -> node.received(socket).size() == 2);
            assertThat(node.received(socket)).containsExactly("1", "2");
        }
    }

    @Test
    void aClientThatComesToAnotherNodeGetsWhatItMissed() throws Exception {
        try (var one = new TopicNode(server(), 1000); var other = new TopicNode(server(), 1000)) {
            RecordedSocket socket = one.join("t", "");
            String seen = one.seen(socket);
            one.leave(socket);
            String[] texts = IntStream.range(0, 50).mapToObj(i -> "m" + i).toArray(String[]::new);
            for (String text : texts) {
                one.publish("t", text);
            }

            awaitData(other, other.join("t", seen), texts);
            // The messages come from this node's history, or from the bus again if the topic was forgotten.
            awaitData(other, other.join("t", seen), texts);
        }
    }

    @Test
    void withoutAHistoryItIsToldThatItMissedSome() throws Exception {
        try (var one = new TopicNode(server(), 0); var other = new TopicNode(server(), 0)) {
            RecordedSocket socket = one.join("t", "");
            String seen = one.seen(socket);
            RecordedSocket here = other.join("t", seen);
            assertThat(other.data(here)).isEmpty();
            one.publish("t", "a");
            awaitData(other, here, "a");

            RecordedSocket back = other.join("t", seen);
            TopicRoom.await(() -> other.data(back).size() == 1);
            one.publish("t", "b");
            awaitData(other, back, "resync", "b");
        }
    }

    @Test
    void theLastMessageComesFromTheBus() throws Exception {
        try (var one = new TopicNode(server(), 0, 1 << 20, TopicNode.SHORT_LINGER_MILLIS);
                var other = new TopicNode(server(), 0, 1 << 20, TopicNode.SHORT_LINGER_MILLIS)) {
            one.publish("t", "a");
            one.publish("t", "b");
            RecordedSocket raw = other.join("t", null);
            TopicRoom.await(() -> other.received(raw).equals(List.of("b")));
            other.leave(raw);
            TopicRoom.await(() -> other.topics.stats().topics() == 0);
            one.publish("t", "c");

            RecordedSocket placed = other.join("t", "");
            awaitData(other, placed, "c");
        }
    }

    @Test
    void whatIsPublishedWhileANodeIsCutOffComesFromTheHistory() throws Exception {
        try (var one = new TopicNode(server(), 1000)) {
            RecordedSocket raw = one.join("t", null);
            RecordedSocket placed = one.join("t", "");
            var published = new ArrayList<String>();
            for (int i = 0; i < 5; i++) {
                server().cut();
                for (int j = 0; j < 10; j++) {
                    String text = i + "." + j;
                    publishUntilTaken(one, text);
                    published.add(text);
                }
            }
            one.publish("t", "end");
            published.add("end");

            TopicRoom.await(() -> one.received(raw).contains("end"));
            // A message without an acknowledgement is published again. It may come twice, as it has no key.
            assertThat(one.received(raw).stream().distinct()).containsExactlyElementsOf(published);
            TopicRoom.await(() -> one.data(placed).contains("end"));
            assertThat(one.data(placed)).isEqualTo(one.received(raw));
        }
    }

    private static void publishUntilTaken(TopicNode node, String text) {
        var done = new AtomicBoolean();
        TopicRoom.await(() -> {
            try {
                node.publish("t", text);
                done.set(true);
            } catch (Exception e) {
                done.set(false);
            }
            return done.get();
        });
    }

    @Test
    void aServerThatHasLostEverythingIsToldAndGoesOn() throws Exception {
        try (var one = new TopicNode(server(), 1000)) {
            RecordedSocket placed = one.join("t", "");
            one.publish("t", "a");
            awaitData(one, placed, "a");
            server().stop();
            TopicRoom.await(() -> {
                try {
                    one.join("u", null);
                    return false;
                } catch (Exception e) {
                    return e.getMessage().contains("bus");
                }
            });
            assertThatThrownBy(() -> one.publish("t", "nowhere")).hasMessageContaining("bus");
            server().startEmpty();
            TopicRoom.await(() -> one.data(placed).size() == 2);
            publishUntilTaken(one, "b");

            awaitData(one, placed, "a", "resync", "b");
            assertThat(one.topics.stats().resyncs()).isEqualTo(1);
        }
    }

    /** The messages of a new epoch before a node reads it reach its clients, if they are kept. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1000})
    void aNewEpochIsReadFromItsBeginningIfThatIsKept(int history) throws Exception {
        try (var one = new TopicNode(server(), history); var other = new TopicNode(server(), history)) {
            RecordedSocket placed = one.join("t", "");
            one.publish("t", "a");
            awaitData(one, placed, "a");
            String seen = one.seen(placed);
            CountDownLatch cutOff = one.cutOff();
            server().stop();
            server().startEmpty();
            publishUntilTaken(other, "b");
            other.publish("t", "c");
            other.publish("t", "d");
            cutOff.countDown();
            TopicRoom.await(() -> one.data(placed).contains("resync"));
            publishUntilTaken(one, "e");

            TopicRoom.await(() -> one.data(placed).contains("e"));
            RecordedSocket back = one.join("t", seen);
            TopicRoom.await(() -> one.data(back).size() >= (history == 0 ? 1 : 5));
            List<String> all = List.of("resync", "b", "c", "d", "e");
            assertThat(one.data(back)).isEqualTo(history == 0 ? List.of("resync") : all);
            assertThat(one.data(placed)).startsWith("a", "resync").endsWith("e")
                    .containsOnlyOnce("resync").doesNotHaveDuplicates();
            if (history > 0) {
                assertThat(one.data(placed).subList(1, 6)).isEqualTo(all);
            }
        }
    }

    /** Clients move between nodes while messages are published and connections are cut. */
    @Test
    void nothingIsLostOrDoubledWhileClientsMove() throws Exception {
        try (var one = new TopicNode(server(), 5000); var other = new TopicNode(server(), 5000)) {
            RecordedSocket first = one.join("t", "");
            String begin = one.seen(first);
            var published = new ArrayList<String>();
            Thread publisher = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 300; i++) {
                    publishUntilTaken(one, "m" + i);
                }
                publishUntilTaken(one, "end");
            });
            List<String> got = new ArrayList<>();
            String seen = begin;
            for (int i = 0; !got.contains("end"); i++) {
                TopicNode node = i % 2 == 0 ? other : one;
                RecordedSocket socket = join(node, seen);
                TopicRoom.await(() -> !node.received(socket).isEmpty());
                node.leave(socket);
                got.addAll(node.data(socket));
                seen = node.seen(socket);
                if (i % 20 == 10) {
                    server().cut();
                }
            }
            publisher.join();
            TopicRoom.await(() -> one.data(first).contains("end"));
            published.addAll(one.data(first));

            assertThat(got).isEqualTo(published).doesNotContain("resync").endsWith("end");
            assertThat(got.stream().distinct()).hasSize(301);
        }
    }

    private static RecordedSocket join(TopicNode node, String seen) {
        var joined = new RecordedSocket[1];
        TopicRoom.await(() -> {
            try {
                joined[0] = node.join("t", seen);
                return true;
            } catch (Exception e) {
                return false; // the node is disconnected
            }
        });
        return joined[0];
    }
}
