package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.sluice.config.topic.OverBudget;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.websocket.RecordedSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Catch-up of clients that connect with a position. */
@Timeout(60)
class CatchUpTest {
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]*)\"");
    private static final Pattern DATA = Pattern.compile("\"data\":\"([^\"]*)\"");

    static String id(String envelope) {
        Matcher id = ID.matcher(envelope);
        assertThat(id.find()).as(envelope).isTrue();
        return id.group(1);
    }

    static List<String> data(RecordedSocket socket) {
        return socket.received.stream().map(DATA::matcher).filter(Matcher::find)
                .map(data -> data.group(1)).toList();
    }

    private static String next(String id) {
        return Position.parse(id).next().toString();
    }

    @Test
    void messagesAreInEnvelopesWithConsecutivePositions() {
        try (var room = new TopicRoom(1, 0)) {
            RecordedSocket socket = room.follow("t", 0, "");
            RecordedSocket raw = room.join("t", 0);
            room.publish("t", "say \"hi\"\n");
            var binary = new SharedMessage(false, Unpooled.wrappedBuffer(new byte[] {1, 2, (byte) 0xFF, 4}));
            room.topics.publish("t", binary, null, null, ImmediateEventExecutor.INSTANCE);
            binary.release();
            room.settle();

            String begin = id(socket.received.getFirst());
            assertThat(socket.received).containsExactly("{\"id\":\"" + begin + "\"}",
                    "{\"id\":\"" + next(begin) + "\",\"data\":\"say \\\"hi\\\"\\n\"}",
                    "{\"id\":\"" + next(next(begin)) + "\",\"data\":\"AQL/BA==\",\"encoding\":\"base64\"}");
            assertThat(raw.received).hasSize(2).startsWith("say \"hi\"\n");
        }
    }

    @Test
    void theLastMessageTellsThePosition() {
        try (var room = new TopicRoom(1, 1000)) {
            RecordedSocket early = room.follow("t", 0, "");
            room.publish("t", "a");
            room.settle();
            RecordedSocket late = room.follow("t", 0, "");

            assertThat(late.received).containsExactly(early.received.get(1));
        }
    }

    @Test
    void aClientThatComesBackGetsWhatItMissed() {
        try (var room = TopicRoom.withHistory(2, 100)) {
            RecordedSocket gone = room.follow("t", 0, "");
            room.publish("t", "a");
            room.settle();
            String seen = id(gone.received.getLast());
            room.leave(gone);
            IntStream.range(0, 90).forEach(i -> room.publish("t", "m" + i));

            RecordedSocket back = room.follow("t", 1, seen);
            room.publish("t", "live");
            room.settle();
            TopicRoom.await(() -> back.received.size() == 91);

            assertThat(data(back)).startsWith("m0").endsWith("m89", "live").doesNotHaveDuplicates();
            assertThat(room.topics.stats().recovered()).isBetween(90L, 91L);
            RecordedSocket present = room.follow("t", 0, id(back.received.getLast()));
            assertThat(present.received).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "0:0", "9999:1", "k3", ":", "-1:1"})
    void aPositionThatIsNotKnownIsAResync(String after) {
        try (var room = TopicRoom.withHistory(1, 10)) {
            room.publish("t", "a");
            RecordedSocket socket = room.follow("t", 0, after);
            room.publish("t", "b");
            room.settle();

            String at = id(socket.received.getFirst());
            assertThat(socket.received).containsExactly("{\"resync\":true,\"id\":\"" + at + "\"}",
                    "{\"id\":\"" + next(at) + "\",\"data\":\"b\"}");
            assertThat(room.topics.stats().resyncs()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10})
    void aPositionThatIsYetToComeIsAResync(int history) {
        try (var room = TopicRoom.withHistory(1, history)) {
            RecordedSocket early = room.follow("t", 0, "");
            String begin = id(early.received.getFirst());
            RecordedSocket socket = room.follow("t", 0, next(begin));
            room.publish("t", "a");
            room.settle();

            assertThat(socket.received).containsExactly("{\"resync\":true,\"id\":\"" + begin + "\"}",
                    early.received.getLast());
        }
    }

    @Test
    void aTopicThatFillsTheHistoryCostsOnlyItsOwnReaders() {
        try (var room = TopicRoom.withHistory(1, 100)) {
            RecordedSocket quiet = room.follow("quiet", 0, "");
            RecordedSocket busy = room.follow("busy", 0, "");
            room.publish("quiet", "a");
            room.leave(quiet);
            room.leave(busy);
            IntStream.range(0, 30).forEach(_ -> room.publish("busy", "x".repeat(64 << 10)));

            assertThat(data(room.follow("quiet", 0, id(quiet.received.getFirst())))).containsExactly("a");
            RecordedSocket back = room.follow("busy", 0, id(busy.received.getFirst()));
            assertThat(back.received).singleElement().asString().contains("resync");
        }
    }

    @Test
    void positionBeforeTheHistoryGetsAResync() {
        try (var room = TopicRoom.withHistory(1, 10)) {
            RecordedSocket socket = room.follow("t", 0, "");
            room.publish("t", "a");
            room.settle();
            String begin = id(socket.received.getLast());
            room.leave(socket);
            IntStream.range(0, 11).forEach(i -> room.publish("t", "m" + i));

            RecordedSocket late = room.follow("t", 0, begin);
            room.settle();
            assertThat(late.received).singleElement().asString().contains("resync");
            RecordedSocket intime = room.follow("t", 0, next(begin));
            room.settle();
            assertThat(data(intime)).hasSize(10).startsWith("m1");
        }
    }

    /**
     * A topic without subscribers and history is forgotten, so nothing shows whether messages were missed.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTopicThatWasGoneIsAResyncIfAnythingWasPublished(boolean published) {
        try (var room = new TopicRoom(1, 0)) {
            RecordedSocket socket = room.follow("t", 0, "");
            String begin = id(socket.received.getFirst());
            room.leave(socket);
            if (published) {
                room.publish("t", "a");
            }

            assertThat(room.follow("t", 0, begin).received).hasSize(published ? 1 : 0)
                    .allSatisfy(notice -> assertThat(notice).contains("resync"));
        }
    }

    @Test
    void aPositionIsNeverUsedTwice() {
        try (var room = TopicRoom.withHistory(1, 1)) {
            var ids = new ArrayList<String>();
            for (int i = 0; i < 3; i++) {
                RecordedSocket socket = room.follow("t", 0, "");
                room.publish("t", "a");
                room.settle();
                ids.add(id(socket.received.getLast()));
                room.leave(socket);
                // larger than the history, which drops it and all earlier messages
                room.publish("t", "x".repeat(2 << 20));
            }

            assertThat(ids).doesNotHaveDuplicates();
        }
    }

    @Test
    void aSlowClientCatchesUpAtItsPaceAndHoldsNothing() {
        try (var room = TopicRoom.withHistory(1, 1000)) {
            RecordedSocket socket = room.follow("t", 0, "");
            String begin = id(socket.received.getFirst());
            room.leave(socket);
            IntStream.range(0, 200).forEach(i -> room.publish("t", "m" + i));

            var slow = new RecordedSocket(room.loop(0));
            slow.writableFor = 5;
            room.follow("t", slow, begin, TopicRoom.config(true, 300, OverBudget.CLOSE));
            for (int i = 0; i < 41; i++) {
                room.publish("t", "more" + i);
                room.settle();
                assertThat(slow.received).hasSizeLessThanOrEqualTo(5 * (i + 1));
                room.read(slow, 5);
            }
            room.read(slow, 1000);
            TopicRoom.await(() -> slow.received.size() == 241);

            assertThat(data(slow)).doesNotHaveDuplicates().hasSize(241).startsWith("m0").endsWith("more40");
            assertThat(slow.closedWith).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(value = OverBudget.class, names = {"DROP_OLDEST", "LATEST_ONLY"})
    void messagesDroppedOverBudgetAreReported(OverBudget policy) {
        try (var room = new TopicRoom(1, 0)) {
            var slow = new RecordedSocket(room.loop(0));
            room.follow("t", slow, "", TopicRoom.config(true, 257, policy));
            String begin = id(slow.received.getFirst());
            TopicRoom.on(room.loop(0), () -> slow.writable = false);
            List.of("a", "b", "c").forEach(text -> room.publish("t", text));
            room.settle();
            room.read(slow, 9);

            String second = next(next(begin));
            assertThat(slow.received.subList(1, slow.received.size())).containsExactly(
                    "{\"resync\":true,\"id\":\"" + second + "\"}",
                    "{\"id\":\"" + next(second) + "\",\"data\":\"c\"}");
            assertThat(slow.dropped).hasSize(2);
        }
    }

    @Test
    void aMessageThatCanNotFitIsTold() {
        try (var room = new TopicRoom(1, 0)) {
            var slow = new RecordedSocket(room.loop(0));
            room.follow("t", slow, "", TopicRoom.config(true, 300, OverBudget.DROP_OLDEST));
            TopicRoom.on(room.loop(0), () -> slow.writable = false);
            List.of("a", "x".repeat(1000)).forEach(text -> room.publish("t", text));
            room.settle();
            room.read(slow, 9);

            String begin = id(slow.received.getFirst());
            assertThat(slow.received.getLast())
                    .isEqualTo("{\"resync\":true,\"id\":\"" + next(next(begin)) + "\"}");
        }
    }
}
