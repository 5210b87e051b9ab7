package io.sluice.handlers.bus.redis;

import static io.sluice.handlers.bus.redis.RedisChannel.ascii;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.presence.PresenceState;
import io.sluice.handlers.presence.Roster;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The members of a set's topics in Redis (decision 30).
 *
 * @param keys of the topics
 */
record RedisRoster(RedisBus bus, TopicKeys keys) implements Roster {
    /** The time for which a topic is remembered after the last gateway has expired. */
    private static final long TOPIC_MILLIS = Duration.ofMinutes(1).toMillis();
    private static final byte[] EMPTY = {};

    @Override
    public CompletableFuture<Answer> report(String topic, Report report) {
        String[] all = keys.presence(topic);
        StatefulRedisConnection<String, byte[]> connection = bus.commands(all[0]);
        if (connection == null || bus.reads().isFull()) {
            return CompletableFuture.failedFuture(unknown(topic, null));
        }
        CompletableFuture<List<Object>> answer =
                RedisScript.PRESENCE.run(connection, ScriptOutputType.MULTI, all, arguments(report));
        return bus.reads().add(answer).handle((values, failure) -> {
            if (failure != null) {
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                if (RedisChannel.isElsewhere(cause)) {
                    bus.moved();
                }
                throw unknown(topic, cause);
            }
            return answer(values);
        });
    }

    private static HttpException unknown(String topic, @Nullable Throwable cause) {
        return HttpException.tryAgain(
                "topic: %s: the bus has not told who is subscribed".formatted(topic), cause);
    }

    private static byte[][] arguments(Report report) {
        var arguments = new ArrayList<>(List.of(ascii(report.gateway()), ascii(report.expiryMillis()),
                ascii(report.expiryMillis() + TOPIC_MILLIS), ascii(report.anonymous()),
                report.known() == null ? EMPTY : ascii(report.known()), ascii(report.limit()),
                ascii(report.joining().size())));
        Function<String, byte[]> utf8 = name -> name.getBytes(StandardCharsets.UTF_8);
        report.joining().stream().map(utf8).forEach(arguments::add);
        report.leaving().stream().map(utf8).forEach(arguments::add);
        return arguments.toArray(byte[][]::new);
    }

    private static Answer answer(List<Object> values) {
        int here = Math.toIntExact((Long) values.get(0));
        boolean more = (Long) values.get(1) > 0;
        if (values.size() == 2) {
            return new Answer(here, more, null);
        }
        List<String> names = values.subList(5, values.size()).stream()
                .map(name -> new String((byte[]) name, StandardCharsets.UTF_8)).toList();
        return new Answer(here, more, new PresenceState(
                new String((byte[]) values.get(2), StandardCharsets.US_ASCII),
                Math.toIntExact((Long) values.get(3)), Math.toIntExact((Long) values.get(4)), names));
    }
}
