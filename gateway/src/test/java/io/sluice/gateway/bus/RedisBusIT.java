package io.sluice.gateway.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.publish.TopicSink;
import io.sluice.handlers.topic.Bus;
import io.sluice.handlers.topic.BusServer;
import io.sluice.handlers.topic.Position;
import io.sluice.handlers.topic.TopicMessage;
import io.sluice.handlers.topic.TopicNode;
import io.sluice.handlers.topic.TopicsOnBusContract;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.source.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisBusIT extends TopicsOnBusContract {
    private static final Bus.Keep MANY = new Bus.Keep(100_000, 600_000);

    private static RedisServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RedisServer.start();
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @BeforeEach
    void clear() throws Exception {
        server.command("CLIENT UNPAUSE");
        server.startEmpty(); // also behind a test that has failed while it was stopped
    }

    @Override
    protected BusServer server() {
        return server;
    }

    static CompletableFuture<Position> publish(Bus.Channel channel, String text) {
        return publish(channel, text, null);
    }

    static CompletableFuture<Position> publish(Bus.Channel channel, String text, Bus.Key key) {
        return publish(channel, text, key, null);
    }

    private static CompletableFuture<Position> publish(Bus.Channel channel, String text, Bus.Key key,
                                                       ClientNetwork client) {
        var message = new SharedMessage(true, ByteBufUtil.writeUtf8(PooledByteBufAllocator.DEFAULT, text));
        try {
            return channel.publish("t", message, key, client);
        } finally {
            message.release();
        }
    }

    static Bus connected(Bus bus) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> bus.state().connected());
        return bus;
    }

    /** Returns the texts in the history of the topic after a position. */
    private static List<String> history(Bus.Channel channel, Position after) throws Exception {
        var texts = new ArrayList<String>();
        Position at = after;
        while (true) {
            Bus.History history = channel.read("t", at).get(60, TimeUnit.SECONDS);
            assertThat(history.certain()).isTrue();
            for (TopicMessage message : history.messages()) {
                ByteBuf text = message.raw().with((_, payload) -> payload.copy());
                texts.add(text.toString(StandardCharsets.UTF_8));
                text.release();
                at = message.position();
                message.release();
            }
            if (at.equals(history.end())) {
                return texts;
            }
        }
    }

    @Test
    void aConnectionThatIsCutInTheMiddleDoublesNothing() throws Exception {
        try (Bus bus = connected(server.connect(100_000, Duration.ofSeconds(60)))) {
            Bus.Channel channel = bus.open("set", MANY, new BusEvents());
            Position begin = channel.read("t", null).get(60, TimeUnit.SECONDS).end();
            var results = new ArrayList<CompletableFuture<Position>>();
            for (int i = 0; i < 5000; i++) {
                results.add(publish(channel, "m" + i));
                if (i == 2500) {
                    results.get(1000).get(60, TimeUnit.SECONDS);
                    server.cut();
                }
                if (i > 2500 && i % 500 == 0) {
                    connected(bus);
                }
            }
            CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)).handle((_, _) -> null)
                    .get(60, TimeUnit.SECONDS);

            List<String> history = history(channel, begin);
            assertThat(history).doesNotHaveDuplicates();
            for (int i = 0; i < results.size(); i++) {
                if (!results.get(i).isCompletedExceptionally()) {
                    int index = (int) results.get(i).join().offset() - 1;
                    assertThat(history.get(index)).isEqualTo("m" + i);
                }
            }
            List<Integer> order = history.stream().map(text -> Integer.valueOf(text.substring(1))).toList();
            assertThat(order).isSorted().hasSizeGreaterThan(1000);
        }
    }

    @Test
    void aFullQueueRefusesAndAServerThatDoesNotAnswerMayHaveTheMessage() throws Exception {
        try (Bus bus = connected(server.connect(10, Duration.ofMillis(1500)))) {
            Bus.Channel channel = bus.open("set", MANY, new BusEvents());
            Position begin = channel.read("t", null).get(60, TimeUnit.SECONDS).end();
            server.command("CLIENT PAUSE 60000 WRITE");
            var results = new ArrayList<CompletableFuture<Position>>();
            for (int i = 0; i < 15; i++) {
                results.add(publish(channel, "m" + i));
            }
            assertThat(results).filteredOn(CompletableFuture::isCompletedExceptionally)
                    .hasSizeBetween(4, 5).allSatisfy(refused ->
                            assertThat(refused.exceptionNow()).hasMessageContaining("queue is full"));
            assertThat(bus.state().underWay()).isEqualTo(15 - (int) results.stream()
                    .filter(CompletableFuture::isCompletedExceptionally).count());
            assertThatThrownBy(() -> results.getFirst().get(60, TimeUnit.SECONDS))
                    .hasMessageContaining("may or may not").hasMessageContaining("in time");
            server.command("CLIENT UNPAUSE");

            Awaitility.await().atMost(Duration.ofSeconds(30))
                    .until(() -> history(channel, begin).size() >= 9);
            assertThat(bus.state().underWay()).isZero();
        }
    }

    @Test
    void oneClientLeavesHalfOfTheQueueToOthers() throws Exception {
        try (Bus bus = connected(server.connect(10, Duration.ofSeconds(60)))) {
            Bus.Channel channel = bus.open("set", MANY, new BusEvents());
            channel.read("t", null).get(60, TimeUnit.SECONDS);
            var one = new ClientNetwork(1, false);
            server.command("CLIENT PAUSE 60000 WRITE");
            var results = new ArrayList<CompletableFuture<Position>>();
            for (int i = 0; i < 5; i++) {
                results.add(publish(channel, "m" + i, null, one));
            }
            assertThat(publish(channel, "more", null, one).exceptionNow()).hasMessageContaining("half full");
            results.add(publish(channel, "of another", null, new ClientNetwork(2, false)));
            server.command("CLIENT UNPAUSE");

            CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
            publish(channel, "more", null, one).get(60, TimeUnit.SECONDS);
        }
    }

    /** A publication that has timed out stays in the driver, with its payload, until the server answers. */
    @Test
    void thePayloadsThatTheDriverHoldsAreBounded() throws Exception {
        try (Bus bus = connected(server.connect(1000, Duration.ofMillis(500)))) {
            Bus.Channel channel = bus.open("set", new Bus.Keep(1, 600_000), new BusEvents());
            channel.read("t", null).get(60, TimeUnit.SECONDS);
            server.command("CLIENT PAUSE 60000 WRITE");
            String large = "x".repeat(8 << 20);
            for (int i = 0; i < 8; i++) {
                CompletableFuture<Position> late = publish(channel, large);
                assertThatThrownBy(() -> late.get(60, TimeUnit.SECONDS)).hasMessageContaining("in time");
            }
            assertThat(publish(channel, "more").exceptionNow()).hasMessageContaining("queue is full");
            server.command("CLIENT UNPAUSE");
            Awaitility.await().atMost(Duration.ofSeconds(30))
                    .until(() -> !publish(channel, "more").handle((_, failure) -> failure != null).join());
        }
    }

    @Test
    void scriptsThatTheServerHasForgottenAreSentAgain() throws Exception {
        try (Bus bus = connected(server.connect())) {
            Bus.Channel channel = bus.open("set", MANY, new BusEvents());
            Position first = publish(channel, "a").get(60, TimeUnit.SECONDS);
            server.command("SCRIPT FLUSH");

            assertThat(publish(channel, "b").get(60, TimeUnit.SECONDS)).isEqualTo(
                    new Position(first.epoch(), first.offset() + 1));
        }
    }

    /** After a restart or a failover the server may lack the messages that it had confirmed last. */
    @Test
    void anotherServerProcessBeginsAnEpoch() throws Exception {
        try (Bus bus = connected(server.connect())) {
            Bus.Channel channel = bus.open("set", MANY, new BusEvents());
            Position first = publish(channel, "a").get(60, TimeUnit.SECONDS);
            assertThat(server.command("HSET sluice:meta:{set:t} run another")).isEqualTo(":0");

            assertThat(channel.read("t", first).get(60, TimeUnit.SECONDS).certain()).isFalse();
            Position second = publish(channel, "b").get(60, TimeUnit.SECONDS);
            assertThat(second.epoch()).isNotEqualTo(first.epoch());
            assertThat(second.offset()).isEqualTo(1);
            assertThat(history(channel, new Position(second.epoch(), 0))).containsExactly("b");
        }
    }

    @Test
    void messagesOlderThanTheirAgeAreDropped() throws Exception {
        try (Bus bus = connected(server.connect()); Bus longer = connected(server.connect())) {
            Bus.Channel brief = bus.open("set", new Bus.Keep(100, 3000), new BusEvents());
            Position first = publish(brief, "a").get(60, TimeUnit.SECONDS);
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() ->
                    server.command("EXISTS sluice:stream:{set:t}").equals(":0"));

            Bus.Channel channel = longer.open("set", MANY, new BusEvents());
            assertThat(publish(channel, "b").get(60, TimeUnit.SECONDS).offset()).isEqualTo(2);
            assertThat(channel.read("t", new Position(first.epoch(), 0)).get(60, TimeUnit.SECONDS).certain())
                    .isFalse();
            assertThat(history(channel, first)).containsExactly("b");
        }
    }

    /** A source that repeats a message may have to do so again. */
    @Test
    void aMessageOfADatabaseIsRememberedForAnHourAfterItCameLast() throws Exception {
        try (var node = new TopicNode(server, 0)) {
            var message = new Message("t", true, new byte[] {1}, "k");
            for (int i = 0; i < 2; i++) {
                Future<?> taken = new TopicSink(node.topics).accept(message);
                assertThat(taken.await(60, TimeUnit.SECONDS)).isTrue();
                String millis = onKey("'PTTL', key");
                assertThat(Long.parseLong(millis.substring(1))).isBetween(3_500_000L, 3_600_000L);
                onKey("'PEXPIRE', key, 60000");
            }
        }
    }

    /** Runs a command on the idempotency key that is there. */
    private static String onKey(String command) throws IOException {
        return server.command("EVAL \"local key = redis.call('KEYS', '*:key:*')[1] return redis.call("
                + command + ")\" 0");
    }
}
