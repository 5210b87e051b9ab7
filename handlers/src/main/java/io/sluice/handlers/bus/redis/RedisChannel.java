package io.sluice.handlers.bus.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.presence.Roster;
import io.sluice.handlers.topic.Bus;
import io.sluice.handlers.topic.Position;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.RareWarning;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A set of topics on a Redis. Thread-safe. */
final class RedisChannel implements Bus.Channel {
    private static final Logger log = LoggerFactory.getLogger(RedisChannel.class);
    /** The time for which an idempotency key is remembered after its last use. Each takes memory. */
    private static final byte[] KEY_MILLIS = ascii(Duration.ofHours(1).toMillis());
    /** The time for which a topic is remembered after its messages. */
    private static final long TOPIC_MILLIS = Duration.ofDays(1).toMillis();
    /**
     * The time for which a topic without a message is remembered; gateways that are subscribed look more
     * often.
     */
    private static final byte[] EMPTY_MILLIS = ascii(3 * Bus.CHECK_MILLIS);
    /** The most and the fewest bytes to read at a time; one message is read at least. */
    private static final int MAX_READ = 256 * 1024;
    private static final int MIN_READ = 4 * 1024;
    private static final byte[] PUBLISH = ascii("PUBLISH");
    private static final byte[] SHARDED_PUBLISH = ascii("SPUBLISH");
    /** The beginnings of errors with which a server says that another one has to run a command. */
    private static final List<String> ELSEWHERE =
            List.of("MOVED ", "ASK ", "CLUSTERDOWN ", "READONLY ", "LOADING ", "MASTERDOWN ");
    /** The beginnings of errors with which a server, or publish.lua, cannot run a command now. */
    private static final List<String> LATER =
            List.of("TRYAGAIN ", "NOREPLICAS ", "AFTER ", "OOM ", "MISCONF ", "BUSY ");
    private static final byte[] EMPTY = {};

    private final RareWarning readWarning = new RareWarning();
    private final RedisBus bus;
    private final TopicKeys keys;
    private final Bus.Receiver receiver;
    /** The key of the server's process; empty where no master goes on beside the next one. */
    private final byte[] server;
    private volatile Kept kept;
    /** The bytes to read at a time: fewer after an answer that was late, as the network may be narrow. */
    private volatile int readBytes = MAX_READ;

    /** The limits of kept messages, as arguments of the scripts. */
    private record Kept(byte[] messages, byte[] ageMillis, byte[] topicMillis) {
        static Kept of(Bus.Keep keep) {
            return new Kept(ascii(keep.messages()), ascii(keep.ageMillis()),
                    ascii(keep.ageMillis() + TOPIC_MILLIS));
        }
    }

    RedisChannel(RedisBus bus, TopicKeys keys, Bus.Keep keep, Bus.Receiver receiver) {
        this.bus = bus;
        this.keys = keys;
        this.receiver = receiver;
        server = bus.hasSentinels() ? ascii(keys.server()) : EMPTY;
        kept = Kept.of(keep);
    }

    TopicKeys keys() {
        return keys;
    }

    Bus.Receiver receiver() {
        return receiver;
    }

    @Override
    public void keep(Bus.Keep keep) {
        kept = Kept.of(keep);
    }

    @Override
    public CompletableFuture<Position> publish(String topic, SharedMessage message, Bus.@Nullable Key key,
                                               @Nullable ClientNetwork client) {
        StatefulRedisConnection<String, byte[]> connection = bus.commands(keys.meta(topic));
        if (connection == null) {
            return refused(topic, "it is not connected", null);
        }
        if (bus.publications().isFull(client)) {
            return refused(topic, "its queue is full, or half full with messages of this client", null);
        }
        var all = new ArrayList<>(List.of(keys.meta(topic), keys.stream(topic), keys.channel(topic)));
        if (key != null) {
            all.add(keys.idempotency(topic, key.text()));
            if (key.after() != null) {
                all.add(keys.idempotency(topic, key.after()));
            }
        }
        byte[][] body = Frames.kindAndPayload(message);
        Kept keep = kept;
        byte[][] arguments = {candidate(), keep.topicMillis, body[0], body[1],
            bus.isSharded() ? SHARDED_PUBLISH : PUBLISH, keep.messages, keep.ageMillis, KEY_MILLIS, server};
        long begun = System.nanoTime();
        CompletableFuture<byte[]> answer = RedisScript.PUBLISH.run(connection, ScriptOutputType.VALUE,
                all.toArray(String[]::new), arguments);
        if (answer.isCompletedExceptionally()) { // before it was sent
            return refused(topic, "its connection is lost", answer.exceptionNow());
        }
        return bus.publications().add(answer, body[1].length, client).handle((position, failure) -> {
            if (failure != null) {
                throw failed(topic, failure instanceof CompletionException ? failure.getCause() : failure);
            }
            bus.observer().published(System.nanoTime() - begun);
            return Frames.position(position);
        });
    }

    private CompletableFuture<Position> refused(String topic, String reason, @Nullable Throwable cause) {
        bus.observer().refused();
        return CompletableFuture.failedFuture(HttpException.tryAgain(
                "topic: %s: the bus has not taken the message: %s".formatted(topic, reason), cause));
    }

    private HttpException failed(String topic, @Nullable Throwable failure) {
        bus.observer().refused();
        if (isElsewhere(failure)) {
            bus.moved();
            return HttpException.tryAgain(
                    "topic: %s: the bus has not taken the message: it looks for the server".formatted(topic),
                    failure);
        }
        if (isError(LATER, failure)) {
            return HttpException.tryAgain(
                    "topic: %s: the bus has not taken the message: the server cannot now".formatted(topic),
                    failure);
        }
        String reason = failure instanceof TimeoutException ? "it has not answered in time"
                : failure instanceof RedisCommandExecutionException ? "it has answered with an error"
                : "the connection was lost";
        return HttpException.tryAgain("topic: %s: the bus may or may not have the message: %s"
                .formatted(topic, reason), failure);
    }

    /** Returns whether a server has said that another one has to run the command. */
    static boolean isElsewhere(@Nullable Throwable failure) {
        return isError(ELSEWHERE, failure);
    }

    private static boolean isError(List<String> errors, @Nullable Throwable failure) {
        return failure instanceof RedisCommandExecutionException && failure.getMessage() != null
                && errors.stream().anyMatch(failure.getMessage()::startsWith);
    }

    @Override
    public void subscribe(String topic) {
        bus.subscribe(this, topic);
    }

    @Override
    public void unsubscribe(String topic) {
        bus.unsubscribe(this, topic);
    }

    @Override
    public boolean isConnected(String topic) {
        return bus.isConnected(keys.meta(topic));
    }

    @Override
    public CompletableFuture<Bus.History> read(String topic, @Nullable Position after) {
        StatefulRedisConnection<String, byte[]> connection = bus.commands(keys.meta(topic));
        CompletableFuture<List<Object>> answer = connection == null || bus.reads().isFull(null)
                ? CompletableFuture.failedFuture(new IllegalStateException("not connected, or too busy"))
                : RedisScript.READ.run(connection, ScriptOutputType.MULTI,
                        new String[] {keys.meta(topic), keys.stream(topic)},
                        new byte[][] {candidate(), EMPTY_MILLIS, after == null ? EMPTY
                                : ascii(after.epochText()), after == null ? EMPTY : ascii(after.offset()),
                            ascii(readBytes), server, kept.ageMillis});
        return bus.reads().add(answer, 0, null).handleAsync((found, failure) -> {
            if (failure != null) {
                readFailed(failure instanceof CompletionException ? failure.getCause() : failure);
                throw new CompletionException(failure);
            }
            readBytes = Math.min(readBytes + MIN_READ, MAX_READ);
            return Frames.history(found, bus.alloc());
        }, bus.executor());
    }

    /** Called on the thread of the bus, as are all changes of {@link #readBytes}. */
    private void readFailed(@Nullable Throwable failure) {
        if (isElsewhere(failure)) {
            bus.moved();
        } else if (failure instanceof TimeoutException) {
            readBytes = Math.max(readBytes / 2, MIN_READ);
        } else if (failure instanceof RedisCommandExecutionException && readWarning.tryTake()) {
            log.warn("bus {}: topics cannot be read: {}; subscribers wait or get 503 meanwhile: check the "
                    + "server, and the rights of its user", bus.name(), failure.getMessage());
        }
    }

    /** Returns a new epoch. */
    private static byte[] candidate() {
        return ascii(new Position(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), 0).epochText());
    }

    static byte[] ascii(Object value) {
        return value.toString().getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public Roster roster() {
        return new RedisRoster(bus, keys);
    }

    @Override
    public void close() {
        bus.closed(this);
    }
}
