package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.WebSocketListener;
import io.sluice.handlers.websocket.RecordedSocket;
import io.sluice.handlers.websocket.TopicHandler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class KeptMessagesTest {
    /** The accounted bytes of a message of one byte to a topic whose name is one letter. */
    private static final int ONE = 512 + 1 + 2;

    private final AtomicLong clock = new AtomicLong();
    private final KeptMemory memory = new KeptMemory(1 << 30);
    private final KeptMessages last = kept(memory, KeptMessages.Limits.ofLast(3 * ONE));
    private long offset;

    @AfterEach
    void close() {
        last.limit(KeptMessages.Limits.NONE);
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

    /** Encoded forms can take a multiple of the payload, which the budget does not count. */
    @Test
    void encodedFormsAreNotKept() {
        TopicMessage message = message(1, "1");
        last.put("a", message);
        ByteBuf whenPublished = encoded(message);
        ByteBuf whenRead = encoded(last.last("a"));

        assertThat(whenPublished.refCnt()).isZero();
        assertThat(whenRead.refCnt()).isZero();
    }

    /** Encodes and releases a message; returns the memory of its form. */
    private static ByteBuf encoded(TopicMessage message) {
        ByteBuf memory = Unpooled.buffer(1);
        message.raw().as((_, _) -> memory).release();
        message.release();
        return memory;
    }

    @Test
    void oldestMessageIsEvictedFirst() {
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
        KeptMessages none = kept(memory, KeptMessages.Limits.ofLast(0));
        TopicMessage message = message(1, "");
        none.put("", message);
        assertThat(none.last("")).isNull();
        assertThat(message.release()).isTrue();
    }

    @Test
    void theHistoryOfATopicIsBoundedByNumberAgeAndBytes() {
        last.limit(new KeptMessages.Limits(2, Duration.ofSeconds(10), 3 * ONE));
        put("a", "1");
        put("a", "2");
        put("a", "3");
        assertThat(after("a", 0)).isNull();
        assertThat(after("a", 1)).containsExactly("2", "3");

        clock.addAndGet(Duration.ofSeconds(10).toNanos());
        put("b", "4");
        put("c", "5");
        assertThat(after("a", 1)).isNull();
        assertThat(after("a", 2)).containsExactly("3");

        clock.incrementAndGet();
        assertThat(after("a", 2)).isNull();
        assertThat(last.head("a")).isNull();
        assertThat(after("c", 4)).containsExactly("5");
        assertThat(last.bytes()).isEqualTo(2 * ONE);
    }

    /** An event loop would drop them for long, and the others would wait for its lock. */
    @Test
    void manyOldMessagesAreDroppedLittleByLittleAndNotReturned() {
        var clearings = new AtomicInteger();
        var kept = new KeptMessages(new KeptMessages.Limits(1000, Duration.ofSeconds(10), 1 << 30), memory,
                clock::get, clearings::incrementAndGet);
        for (int topic = 0; topic < 10_000; topic++) {
            TopicMessage message = message(1, "x");
            kept.put("t" + topic, message);
            message.release();
        }
        clock.addAndGet(Duration.ofSeconds(11).toNanos());

        synchronized (kept) { // so that the thread that goes on waits
            assertThat(kept.last("t9999")).isNull();
            assertThat(kept.after("t9999", new Position(7, 0), 1)).isNull();
            assertThat(clearings).hasValueLessThan(1000);
        }
        await().untilAsserted(() -> assertThat(kept.bytes()).isZero());
        assertThat(clearings).hasValue(10_000);
    }

    /** Without traffic. */
    @Test
    void oldMessagesAreDroppedWhenSomeoneLooks() {
        last.limit(new KeptMessages.Limits(9, Duration.ofSeconds(10), 9 * ONE));
        put("a", "1");
        memory.dropOld();
        assertThat(last.bytes()).isEqualTo(ONE);
        clock.addAndGet(Duration.ofSeconds(11).toNanos());
        memory.dropOld();
        assertThat(last.bytes()).isZero();
    }

    /** A set that keeps little keeps it, whatever another one keeps. */
    @Test
    void allSetsShareALimitBeyondWhichTheLargestDropsItsOldest() {
        var shared = new KeptMemory(4 * ONE);
        KeptMessages one = kept(shared, KeptMessages.Limits.ofLast(100 * ONE));
        KeptMessages two = kept(shared, KeptMessages.Limits.ofLast(100 * ONE));
        put(one, "a", "1");
        for (String topic : List.of("b", "c", "d", "e", "f")) {
            put(two, topic, "2");
        }
        assertThat(one.bytes()).isEqualTo(ONE);
        assertThat(two.bytes()).isEqualTo(3 * ONE);
        assertThat(two.head("c")).isNull();
        assertThat(two.head("d")).isNotNull();

        put(one, "a", "x".repeat(4 * ONE));
        assertThat(one.bytes()).isZero();
        two.limit(KeptMessages.Limits.NONE);
        put(one, "a", "1");
        assertThat(one.bytes()).isEqualTo(ONE);
        one.limit(KeptMessages.Limits.NONE);
    }

    @Test
    void whenMemoryGetsShortAQuarterGivesWay() {
        last.limit(new KeptMessages.Limits(1000, Duration.ofSeconds(10), 1 << 30));
        IntStream.rangeClosed(1, 16).forEach(i -> put("a", "x".repeat(128 << 10)));
        memory.giveWay();
        await().until(() -> last.bytes() < 13 * (129L << 10));
        assertThat(last.bytes()).isGreaterThan(11 * (128L << 10));
        await().until(() -> {
            memory.giveWay();
            return last.bytes() == 0;
        });
    }

    @Test
    void aPositionThatIsNotKnownHasNoHistory() {
        last.limit(new KeptMessages.Limits(9, Duration.ofSeconds(10), 9 * ONE));
        put("a", "1");
        put("a", "2");

        assertThat(after("a", 0)).containsExactly("1", "2");
        assertThat(after("a", 2)).isEmpty();
        assertThat(after("a", 3)).isNull();
        assertThat(last.after("a", new Position(8, 1), 9)).isNull();
        assertThat(after("b", 0)).isNull();
    }

    @Test
    void messagesBeforeAGapAreForgotten() {
        last.limit(new KeptMessages.Limits(9, Duration.ofSeconds(10), 9 * ONE));
        put("a", "1");
        offset++;
        put("a", "3");

        assertThat(after("a", 1)).isNull();
        assertThat(after("a", 2)).containsExactly("3");
    }

    @Test
    void longHistoriesAreCutAtTheirBeginning() {
        last.limit(new KeptMessages.Limits(100, Duration.ofSeconds(10), 1 << 20));
        IntStream.rangeClosed(1, 1000).forEach(i -> put("a", "" + i));

        assertThat(after("a", 899)).isNull();
        assertThat(after("a", 900)).hasSize(100).startsWith("901").endsWith("1000");
        assertThat(texts(last.after("a", new Position(7, 950), 3))).containsExactly("951", "952", "953");
    }

    @Test
    void newSubscriberGetsTheLastMessageFirstAndOnce() {
        try (var room = new TopicRoom(1, 1000)) {
            RecordedSocket early = room.join("news", 0);
            var late = new RecordedSocket(room.loop(0));
            WebSocketListener listener = new TopicHandler(() -> TopicRoom.ANY, room.topics)
                    .accept(new FakeExchange().with("topic", "news"));
            TopicRoom.on(room.loop(0), () -> {
                room.publish("news", "a");
                room.publish("news", "b");
                // Both messages have not reached this loop yet.
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

    private static TopicMessage message(long offset, String text) {
        SharedMessage raw = TopicRoom.message(text);
        TopicMessage message = TopicMessage.of(new Position(7, offset), raw);
        raw.release();
        return message;
    }

    private KeptMessages kept(KeptMemory shared, KeptMessages.Limits limits) {
        return new KeptMessages(limits, shared, clock::get, () -> { });
    }

    private void put(String topic, String text) {
        put(last, topic, text);
    }

    private void put(KeptMessages set, String topic, String text) {
        TopicMessage message = message(++offset, text);
        set.put(topic, message);
        message.release();
    }

    private String get(String topic) {
        TopicMessage message = last.last(topic);
        return message == null ? null : texts(List.of(message)).getFirst();
    }

    private List<String> after(String topic, long position) {
        List<TopicMessage> messages = last.after(topic, new Position(7, position), Integer.MAX_VALUE);
        return messages == null ? null : texts(messages);
    }

    private static List<String> texts(List<TopicMessage> messages) {
        return messages.stream().map(message -> {
            ByteBuf bytes = message.raw().with((_, payload) -> payload.retainedDuplicate());
            String text = bytes.toString(StandardCharsets.UTF_8);
            bytes.release();
            message.release();
            return text;
        }).toList();
    }
}
