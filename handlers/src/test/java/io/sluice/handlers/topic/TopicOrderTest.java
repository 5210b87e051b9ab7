package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.EventExecutor;
import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.WebSocketListener;
import io.sluice.handlers.websocket.RecordedSocket;
import io.sluice.handlers.websocket.TopicHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Order and completeness of messages while others publish, subscribe and unsubscribe. */
@Timeout(60)
class TopicOrderTest {
    private static final int MESSAGES = 400;

    @Test
    void allSeeTheMessagesOfManyPublishersInOneOrder() {
        try (var room = new TopicRoom(3, 0)) {
            List<RecordedSocket> sockets = IntStream.range(0, 60).mapToObj(i -> room.join("t", i)).toList();

            try (ExecutorService publishers = Executors.newFixedThreadPool(3)) {
                for (int p = 0; p < 3; p++) {
                    String name = p + ":";
                    publishers.execute(() -> publish(room, name));
                }
                EventExecutor loop = room.loop(0);
                loop.submit(() -> publish(room, "loop:")).syncUninterruptibly();
            }
            room.settle();

            List<String> order = sockets.getFirst().received;
            assertThat(order).hasSize(4 * MESSAGES).doesNotHaveDuplicates();
            assertThat(order.stream().filter(text -> text.startsWith("1:")))
                    .isEqualTo(IntStream.range(0, MESSAGES).mapToObj(i -> "1:" + i).toList());
            assertThat(sockets).allSatisfy(socket -> assertThat(socket.received).isEqualTo(order));
        }
    }

    private static void publish(TopicRoom room, String prefix) {
        for (int i = 0; i < MESSAGES; i++) {
            room.publish("t", prefix + i);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 20})
    void newSubscriberGetsEachLaterMessageOnce(long lastMessages) throws InterruptedException {
        try (var room = new TopicRoom(2, lastMessages)) {
            List<RecordedSocket> stay = IntStream.range(0, 300).mapToObj(i -> room.join("t", i)).toList();
            var progress = new Progress(lastMessages > 0 ? 1 : 0);
            List<Guest> guests = IntStream.range(0, 40)
                    .mapToObj(i -> new Guest(room, room.loop(i), progress, new SplittableRandom(i))).toList();
            guests.forEach(guest -> guest.loop.execute(guest));
            Thread publisher = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < MESSAGES; i++) {
                    if (i == MESSAGES / 2) {
                        // The wait makes sure that guests join between the messages.
                        progress.visits.acquireUninterruptibly(2 * guests.size());
                    }
                    progress.begun = i;
                    room.publish("t", "" + i);
                    progress.done = i + 1;
                }
            });
            publisher.join();
            room.settle();
            guests.forEach(guest -> TopicRoom.on(guest.loop, guest::leaveLast));

            assertThat(stay).allSatisfy(socket -> assertThat(socket.received)
                    .isEqualTo(IntStream.range(0, MESSAGES).mapToObj(Integer::toString).toList()));
            assertThat(guests.stream().flatMap(guest -> guest.wrong.stream())).isEmpty();
        }
    }

    /** The publisher's progress. */
    private static final class Progress {
        final int kept;
        volatile int begun = -1;
        volatile int done;
        final Semaphore visits = new Semaphore(0);

        Progress(int kept) {
            this.kept = kept;
        }
    }

    /**
     * A subscriber that joins and leaves repeatedly. It checks that it got a gapless run of messages, which
     * begins with the first one published after it joined.
     */
    private static final class Guest implements Runnable {
        final EventExecutor loop;
        final List<String> wrong = new ArrayList<>();

        private final TopicRoom room;
        private final Progress progress;
        private final SplittableRandom random;
        private RecordedSocket socket;
        private WebSocketListener listener;
        private int doneBefore;
        private int begunBefore;

        Guest(TopicRoom room, EventExecutor loop, Progress progress, SplittableRandom random) {
            this.room = room;
            this.loop = loop;
            this.progress = progress;
            this.random = random;
        }

        @Override
        public void run() {
            if (socket == null) {
                join();
            } else if (progress.done < MESSAGES && random.nextInt(50) == 0) {
                leave();
                join();
            }
            if (progress.done < MESSAGES) {
                loop.execute(this);
            }
        }

        private void join() {
            progress.visits.release();
            socket = new RecordedSocket(loop);
            listener = new TopicHandler(() -> TopicRoom.ANY, room.topics)
                    .accept(new FakeExchange().with("topic", "t"));
            doneBefore = progress.done;
            listener.opened(socket);
            begunBefore = progress.begun;
        }

        private List<Integer> leave() {
            listener.closed(socket);
            List<Integer> got = socket.received.stream().map(Integer::valueOf).toList();
            if (!got.isEmpty()) {
                int first = got.getFirst();
                if (first < doneBefore - progress.kept || first > begunBefore + 1
                        || !got.equals(IntStream.range(first, first + got.size()).boxed().toList())) {
                    wrong.add(doneBefore + ".." + begunBefore + ": " + got);
                }
            }
            return got;
        }

        /** Leaves after the last message. A guest that joined before its publication must have got it. */
        void leaveLast() {
            List<Integer> got = leave();
            if (begunBefore < MESSAGES - 1 && (got.isEmpty() || got.getLast() != MESSAGES - 1)) {
                wrong.add("no last message: " + got);
            }
        }
    }
}
