package io.sluice.gateway.bus;

import static io.sluice.gateway.bus.RedisBusIT.connected;
import static io.sluice.gateway.bus.RedisBusIT.publish;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import io.sluice.gateway.logging.LoggedEvents;
import io.sluice.handlers.topic.Bus;
import io.sluice.handlers.topic.Position;
import io.sluice.handlers.topic.TopicMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** The memory that scripts take and free in a Redis, and publications that it refuses. */
class RedisScriptsIT {
    private static final Logger LOGGER =
            (Logger) LoggerFactory.getLogger("io.sluice.handlers.bus.redis.RedisChannel");
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
        server.startEmpty();
    }

    /** Other messages keep the history from ending as a whole. */
    @Test
    void oldMessagesAreDroppedBeforeTheNextOneIsOld() throws Exception {
        try (Bus bus = connected(server.connect())) {
            Bus.Channel channel = bus.open("set", new Bus.Keep(100_000, 3000), new BusEvents());
            Position first = publish(channel, "a").get(60, TimeUnit.SECONDS);
            Position last = publish(channel, "a").get(60, TimeUnit.SECONDS);
            Awaitility.await().pollDelay(Duration.ofMillis(2600)).until(() -> true); // the age, nearly
            Awaitility.await().pollInterval(Duration.ofMillis(20)).until(() -> {
                publish(channel, "b").get(60, TimeUnit.SECONDS);
                return !isCertain(channel, first);
            });
            assertThat(isCertain(channel, last)).isTrue();
        }
    }

    /** A publication drops them, and there may be none for long. */
    @Test
    void oldMessagesAreNotRead() throws Exception {
        try (Bus bus = connected(server.connect())) {
            Bus.Channel channel = bus.open("set", new Bus.Keep(100_000, 3000), new BusEvents());
            Position first = publish(channel, "a").get(60, TimeUnit.SECONDS);
            Position second = publish(channel, "a").get(60, TimeUnit.SECONDS);
            Awaitility.await().pollDelay(Duration.ofMillis(2000)).until(() -> true); // most of the age
            publish(channel, "b").get(60, TimeUnit.SECONDS);
            Awaitility.await().until(() -> !isCertain(channel, first));
            assertThat(isCertain(channel, second)).isTrue();
        }
    }

    private static boolean isCertain(Bus.Channel channel, Position after) throws Exception {
        Bus.History history = channel.read("t", after).get(60, TimeUnit.SECONDS);
        history.messages().forEach(TopicMessage::release);
        return history.certain();
    }

    /** The server runs nothing else during a script. */
    @Test
    void scriptsDoNotCopyUnreadLargeMessages() throws Exception {
        try (Bus bus = connected(server.connect())) {
            Bus.Channel channel = bus.open("set", MANY, new BusEvents());
            Position first = publish(channel, "a").get(60, TimeUnit.SECONDS);
            for (int i = 0; i < 8; i++) {
                publish(channel, "x".repeat(1 << 20)).get(60, TimeUnit.SECONDS);
            }
            int before = kilobytesOfScripts("collect');collectgarbage('stop");
            Bus.History history = channel.read("t", first).get(60, TimeUnit.SECONDS);
            history.messages().forEach(TopicMessage::release);
            assertThat(history.messages()).hasSize(1);
            assertThat(kilobytesOfScripts("count") - before).isLessThan(2500);

            server.command("XTRIM sluice:stream:{set:t} MINID 2");
            before = kilobytesOfScripts("collect');collectgarbage('stop");
            publish(channel, "b").get(60, TimeUnit.SECONDS);
            assertThat(kilobytesOfScripts("count") - before).isLessThan(500);
        }
    }

    /** Returns the memory of scripts behind a call of Lua's collectgarbage. */
    private static int kilobytesOfScripts(String call) throws IOException {
        return Integer.parseInt(server.command("EVAL \"collectgarbage('" + call
                + "') return math.floor(collectgarbage('count'))\" 0").substring(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"maxmemory", "min-replicas-to-write"})
    void serverThatRefusesWritesStillReturnsKnownKeys(String limit) throws Exception {
        var log = new LoggedEvents();
        LOGGER.addAppender(log);
        log.start();
        try (Bus bus = connected(server.connect())) {
            Bus.Channel channel = bus.open("set", MANY, new BusEvents());
            var key = new Bus.Key("k", null);
            Position first = publish(channel, "a", key).get(60, TimeUnit.SECONDS);
            server.command("CONFIG SET " + limit + " 1");
            for (Bus.Key each : new Bus.Key[] {null, new Bus.Key("other", null)}) {
                assertThatThrownBy(() -> publish(channel, "b", each).get(60, TimeUnit.SECONDS))
                        .hasMessageContaining("has not taken");
            }
            assertThat(publish(channel, "a", key).get(60, TimeUnit.SECONDS)).isEqualTo(first);
            assertThatThrownBy(() -> channel.read("new", null).get(60, TimeUnit.SECONDS)).isNotNull();
            assertThat(log.list).singleElement().asString().contains("topics cannot be read");
        } finally {
            LOGGER.detachAppender(log);
            server.command("CONFIG SET " + limit + " 0");
        }
    }
}
