package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.WebSocketListener;
import io.sluice.handlers.websocket.RecordedSocket;
import io.sluice.handlers.websocket.TopicHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CatchUpOrderTest {

    /** Clients that reconnect during publications get each message once. */
    @Test
    void nothingIsLostOrDoubledWhileMessagesComeIn() throws InterruptedException {
        try (var room = TopicRoom.withHistory(2, 5000)) {
            RecordedSocket first = room.follow("t", 0, "");
            String begin = CatchUpTest.id(first.received.getFirst());
            Thread publisher = Thread.ofPlatform().start(() ->
                    IntStream.range(0, 2000).forEach(i -> room.publish("t", "" + i)));
            var wanderers = new ArrayList<Wanderer>();
            IntStream.range(0, 20).forEach(i -> wanderers.add(new Wanderer(room, room.loop(i), begin)));
            wanderers.forEach(wanderer -> wanderer.loop.execute(wanderer));
            publisher.join();
            room.settle();

            List<String> all = IntStream.range(0, 2000).mapToObj(Integer::toString).toList();
            TopicRoom.await(() -> wanderers.stream().allMatch(wanderer -> wanderer.got.size() >= 2000));
            assertThat(wanderers).allSatisfy(wanderer -> assertThat(wanderer.got).isEqualTo(all));
            wanderers.forEach(wanderer -> TopicRoom.on(wanderer.loop, wanderer::leave));
        }
    }

    /** A client that reads again, while messages are under way from the bus, has them read once more. */
    @Test
    void messagesReadTwiceAreSentOnce() throws Exception {
        try (var server = new MemoryBusServer(); var one = new TopicNode(server, 100);
                var other = new TopicNode(server, 100)) {
            String begin = other.publish("t", "seen").toString();
            other.publish("t", "a");
            other.publish("t", "b");
            one.join("t", "");
            CountDownLatch onTheWay = one.cutOff();
            RecordedSocket back = one.join("t", begin);
            for (int i = 0; i < 3; i++) {
                TopicRoom.on(one.loop(), () -> one.listener(back).writable(back));
            }
            onTheWay.countDown();
            TopicRoom.await(() -> one.data(back).size() == 2);
            other.publish("t", "c");

            TopicRoom.await(() -> one.data(back).contains("c"));
            assertThat(one.data(back)).containsExactly("a", "b", "c");
        }
    }

    /** A client that reconnects again and again with the position of the last message that it got. */
    private static final class Wanderer implements Runnable {
        final EventExecutor loop;
        final List<String> got = new ArrayList<>();

        private final TopicRoom room;
        private String seen;
        private RecordedSocket socket;
        private WebSocketListener listener;

        Wanderer(TopicRoom room, EventExecutor loop, String seen) {
            this.room = room;
            this.loop = loop;
            this.seen = seen;
        }

        @Override
        public void run() {
            if (socket != null && socket.received.isEmpty() && got.size() < 2000) {
                loop.execute(this);
                return;
            }
            if (socket != null) {
                leave();
            }
            if (got.size() < 2000) {
                socket = new RecordedSocket(loop);
                listener = new TopicHandler(() -> TopicRoom.ANY, room.topics).accept(new FakeExchange(
                        HttpMethod.GET, "/?after=" + seen, 0).with("topic", "t"));
                listener.opened(socket);
                loop.execute(this);
            }
        }

        void leave() {
            listener.closed(socket);
            got.addAll(CatchUpTest.data(socket));
            seen = socket.received.isEmpty() ? seen : CatchUpTest.id(socket.received.getLast());
            socket.received.clear();
        }
    }
}
