package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.SharedMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contract of every bus. */
@Timeout(120)
public abstract class BusContract {
    private static final Bus.Keep TEN = new Bus.Keep(10, 60_000);
    private static final Bus.Keep NONE = new Bus.Keep(0, 60_000);

    private final List<Bus> buses = new ArrayList<>();

    /** Returns a server without messages of other tests. */
    protected abstract BusServer server();

    @AfterEach
    void closeBuses() {
        buses.forEach(Bus::close);
    }

    /** A gateway with one set of topics, which records the calls of the bus. */
    private final class Node implements Bus.Receiver {
        final Bus bus;
        final Bus.Channel channel;
        final BlockingQueue<String> events = new LinkedBlockingQueue<>();

        Node(Bus.Keep keep) throws Exception {
            this("set", keep);
        }

        Node(String set, Bus.Keep keep) throws Exception {
            this(server().connect(), set, keep);
            buses.add(bus);
        }

        Node(Bus bus, String set, Bus.Keep keep) {
            this.bus = bus;
            channel = bus.open(set, keep, this);
            TopicRoom.await(() -> bus.state().connected());
        }

        @Override
        public void subscribed(String topic) {
            events.add("subscribed " + topic);
        }

        @Override
        public void message(String topic, Position position, boolean text, ByteBuf payload) {
            events.add(position + " " + (text ? payload.toString(StandardCharsets.UTF_8)
                    : "binary " + payload.readableBytes()));
            payload.release();
        }

        @Override
        public void lost(String topic) {
            events.add("lost " + topic);
        }

        Node on(String topic) throws Exception {
            channel.subscribe(topic);
            assertThat(next()).isEqualTo("subscribed " + topic);
            return this;
        }

        String next() throws Exception {
            return events.poll(60, TimeUnit.SECONDS);
        }

        CompletableFuture<Position> publish(String topic, String text, String key) {
            SharedMessage message = TopicRoom.message(text);
            try {
                return channel.publish(topic, message, Bus.Key.of(key), null);
            } finally {
                message.release();
            }
        }

        Position publish(String topic, String text) throws Exception {
            return publish(topic, text, null).get(60, TimeUnit.SECONDS);
        }

        Bus.History read(String topic, Position after) throws Exception {
            return channel.read(topic, after).get(60, TimeUnit.SECONDS);
        }

        /** Returns all texts after a position, or "not certain" if messages may be missing. */
        List<String> readAll(String topic, Position after) throws Exception {
            var texts = new ArrayList<String>();
            Position at = after;
            while (true) {
                Bus.History history = read(topic, at);
                if (!history.certain()) {
                    return List.of("not certain");
                }
                for (TopicMessage message : history.messages()) {
                    assertThat(message.position()).isEqualTo(at.next());
                    at = message.position();
                    ByteBuf text = message.raw().with((_, payload) -> payload.copy());
                    texts.add(text.toString(StandardCharsets.UTF_8));
                    text.release();
                    message.release();
                }
                if (at.equals(history.end())) {
                    return texts;
                }
            }
        }
    }

    @Test
    void allNodesGetTheMessagesOfATopicInOneOrder() throws Exception {
        Node one = new Node(NONE).on("t");
        Node other = new Node(NONE).on("t");

        var published = new ArrayList<CompletableFuture<Position>>();
        IntStream.range(0, 200).forEach(i -> published.add((i % 2 == 0 ? one : other)
                .publish("t", "m" + i, null)));
        var expected = new ArrayList<String>();
        for (int i = 0; i < 200; i++) {
            expected.add(published.get(i).get(60, TimeUnit.SECONDS) + " m" + i);
        }
        var received = new ArrayList<String>();
        for (int i = 0; i < 200; i++) {
            received.add(one.next());
            assertThat(other.next()).isEqualTo(received.getLast());
        }

        assertThat(received).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(received.stream().filter(message -> message.endsWith("0"))).isEqualTo(
                expected.stream().filter(message -> message.endsWith("0")).toList());
        List<Long> offsets = received.stream().map(message ->
                Position.parse(message.substring(0, message.indexOf(' '))).offset()).toList();
        assertThat(offsets).isEqualTo(IntStream.rangeClosed(1, 200).mapToObj(Long::valueOf).toList());
    }

    @Test
    void textsAndBytesArriveAsTheyAre() throws Exception {
        Node node = new Node(TEN).on("grüße {}");
        Position first = node.publish("grüße {}", "söckets");
        var bytes = new SharedMessage(false, Unpooled.wrappedBuffer(new byte[1 << 20]));
        Position second = node.channel.publish("grüße {}", bytes, null, null).get(60, TimeUnit.SECONDS);
        bytes.release();

        assertThat(node.next()).isEqualTo(first + " söckets");
        assertThat(node.next()).isEqualTo(second + " binary " + (1 << 20));
        assertThat(Position.parse(second.toString())).isEqualTo(second);
        assertThat(node.readAll("grüße {}", first)).singleElement().asString().hasSize(1 << 20);
    }

    @Test
    void topicsAndSetsAreSeparate() throws Exception {
        Node one = new Node("a", NONE).on("t");
        Node other = new Node("b", NONE).on("t");
        other.publish("t", "not for one");
        one.publish("u", "nor this");
        Position position = one.publish("t", "but this");

        assertThat(one.next()).isEqualTo(position + " but this");
        assertThat(other.next()).endsWith("not for one");
    }

    @Test
    void aNodeThatHasUnsubscribedGetsNothing() throws Exception {
        Node node = new Node(NONE).on("t").on("u");
        node.channel.unsubscribe("t");
        node.publish("t", "not this");
        node.publish("u", "but this");

        assertThat(node.next()).endsWith("but this");
    }

    /** As while a reload replaces the topics of a set. */
    @Test
    void channelsOfASetOnOneBusAreSeparate() throws Exception {
        Node former = new Node(NONE).on("t");
        Node next = new Node(former.bus, "set", NONE).on("t");
        Position first = next.publish("t", "for both");
        assertThat(former.next()).isEqualTo(first + " for both");
        assertThat(next.next()).isEqualTo(first + " for both");

        former.channel.unsubscribe("t");
        Position second = next.publish("t", "for one");
        assertThat(next.next()).isEqualTo(second + " for one");
        former.channel.close();
        assertThat(next.publish("t", "still")).hasToString(next.next().split(" ")[0]);
        assertThat(former.events).isEmpty();
    }

    @Test
    void aKeyIsPublishedOnce() throws Exception {
        Node node = new Node(NONE).on("t");
        Node other = new Node(NONE);
        Position first = node.publish("t", "one", "k").get(60, TimeUnit.SECONDS);

        assertThat(other.publish("t", "again", "k").get(60, TimeUnit.SECONDS)).isEqualTo(first);
        assertThat(other.publish("u", "another topic", "k").get(60, TimeUnit.SECONDS)).isNotEqualTo(first);
        Position braces = other.publish("u", "x", "}v}k").get(60, TimeUnit.SECONDS);
        assertThat(other.publish("u}}v", "y", "k").get(60, TimeUnit.SECONDS)).isNotEqualTo(braces);
        Position second = other.publish("t", "two", "l").get(60, TimeUnit.SECONDS);
        assertThat(second).isEqualTo(first.next());
        assertThat(List.of(node.next(), node.next())).containsExactly(first + " one", second + " two");
    }

    @Test
    void theHistoryIsReadFromAPositionOn() throws Exception {
        Node node = new Node(TEN);
        Position begin = node.read("t", null).end();
        assertThat(node.readAll("t", begin)).isEmpty();
        IntStream.range(0, 9).forEach(i -> node.publish("t", "m" + i, null));
        Position last = node.publish("t", "m9");

        assertThat(node.readAll("t", begin)).containsExactly("m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7",
                "m8", "m9");
        assertThat(node.readAll("t", last.before())).containsExactly("m9");
        assertThat(node.readAll("t", last)).isEmpty();
        assertThat(node.readAll("t", last.next())).containsExactly("not certain");
        assertThat(node.readAll("t", new Position(begin.epoch() / 2, 5))).containsExactly("not certain");
        Bus.History newest = node.read("t", null);
        assertThat(newest.end()).isEqualTo(last);
        assertThat(newest.messages()).singleElement()
                .satisfies(message -> assertThat(message.position()).isEqualTo(last));
        newest.messages().forEach(TopicMessage::release);

        // The limit of kept messages need not be exact, but older ones are dropped in the end.
        IntStream.range(0, 500).forEach(i -> node.publish("t", "more" + i, null));
        Position end = node.publish("t", "end");
        assertThat(node.readAll("t", begin)).containsExactly("not certain");
        assertThat(node.readAll("t", end.before())).containsExactly("end");
    }

    @Test
    void withoutHistoryOnlyTheEndIsCertain() throws Exception {
        Node node = new Node(NONE);
        Position first = node.publish("t", "a");

        assertThat(node.readAll("t", first)).isEmpty();
        assertThat(node.readAll("t", first.before())).containsExactly("not certain");
        assertThat(node.read("t", null).messages()).isEmpty();
    }

    @Test
    void afterACutMessagesComeAgainAndAreInTheHistory() throws Exception {
        Node node = new Node(TEN).on("t");
        Position before = node.publish("t", "before");
        assertThat(node.next()).isEqualTo(before + " before");

        server().cut();
        assertThat(node.next()).isEqualTo("lost t");
        assertThat(node.next()).isEqualTo("subscribed t");
        Position after = await("the cut of the other connection may show later").ignoreExceptions().until(
                () -> node.publish("t", "after", "a key").get(60, TimeUnit.SECONDS), Objects::nonNull);
        assertThat(node.next()).isEqualTo(after + " after");

        assertThat(after).isEqualTo(before.next());
        assertThat(node.readAll("t", before)).containsExactly("after");
    }

    @Test
    void aServerThatHasLostEverythingBeginsAnEpoch() throws Exception {
        Node node = new Node(TEN).on("t");
        Position before = node.publish("t", "before");
        assertThat(node.next()).isEqualTo(before + " before");

        server().stop();
        assertThat(node.next()).isEqualTo("lost t");
        TopicRoom.await(() -> !node.bus.state().connected());
        assertThatThrownBy(() -> node.publish("t", "nowhere")).cause()
                .isInstanceOfSatisfying(HttpException.class, e ->
                        assertThat(e.status().code()).isEqualTo(503));
        assertThat(node.bus.state().problem()).isNotBlank();
        server().startEmpty();

        assertThat(node.next()).isEqualTo("subscribed t");
        TopicRoom.await(() -> node.bus.state().connected());
        assertThat(node.readAll("t", before)).containsExactly("not certain");
        Position after = node.publish("t", "after");
        assertThat(after.epoch()).isNotEqualTo(before.epoch());
        assertThat(node.next()).isEqualTo(after + " after");
        assertThat(node.readAll("t", before)).containsExactly("not certain");
    }
}
