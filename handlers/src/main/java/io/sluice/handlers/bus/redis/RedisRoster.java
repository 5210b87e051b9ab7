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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        if (connection == null || bus.reads().isFull(null)) {
            return CompletableFuture.failedFuture(unknown(topic, null));
        }
        return run(RedisScript.PRESENCE, connection, topic, all, arguments(report))
                .thenApply(RedisRoster::answer);
    }

    private CompletableFuture<List<Object>> run(RedisScript script,
            StatefulRedisConnection<String, byte[]> connection, String topic, String[] all,
            byte[][] arguments) {
        CompletableFuture<List<Object>> answer =
                script.run(connection, ScriptOutputType.MULTI, all, arguments);
        return bus.reads().add(answer, 0, null).handle((values, failure) -> {
            if (failure != null) {
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                if (RedisChannel.isElsewhere(cause)) {
                    bus.moved();
                }
                throw unknown(topic, cause);
            }
            return values;
        });
    }

    /** By one script, except in a cluster, whose servers share the topics. */
    @Override
    public CompletableFuture<Map<String, Answer>> renew(Map<String, Report> reports) {
        if (bus.isSharded() || reports.isEmpty()) {
            return Roster.super.renew(reports);
        }
        List<String> topics = List.copyOf(reports.keySet());
        StatefulRedisConnection<String, byte[]> connection = bus.commands(keys.meta(topics.getFirst()));
        if (connection == null || bus.reads().isFull(null)) {
            return CompletableFuture.failedFuture(unknown(topics.getFirst(), null));
        }
        var all = new ArrayList<String>();
        long expiryMillis = reports.values().iterator().next().expiryMillis();
        var arguments = new ArrayList<>(List.of(ascii(expiryMillis), ascii(expiryMillis + TOPIC_MILLIS)));
        reports.forEach((topic, report) -> {
            all.addAll(List.of(keys.presence(topic)));
            arguments.add(ascii(report.gateway()));
            arguments.add(ascii(report.anonymous()));
            arguments.add(ascii(report.confirmed()));
        });
        return run(RedisScript.RENEW, connection, topics.getFirst(), all.toArray(String[]::new),
                arguments.toArray(byte[][]::new)).thenApply(values -> {
                    var answers = new HashMap<String, Answer>();
                    for (int i = 0; i < topics.size(); i++) {
                        int here = Math.toIntExact((Long) values.get(i));
                        answers.put(topics.get(i), new Answer(here, false, null));
                    }
                    return answers;
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
                ascii(report.joining().size()), ascii(report.number()), ascii(report.confirmed())));
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
