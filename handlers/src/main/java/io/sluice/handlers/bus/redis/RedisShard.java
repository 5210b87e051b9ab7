package io.sluice.handlers.bus.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.config.type.BusUrl;
import io.sluice.handlers.topic.BusObserver;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server of a bus: a connection for commands, and one for messages of the subscribed channels. */
final class RedisShard {
    private static final Logger log = LoggerFactory.getLogger(RedisShard.class);

    private final String name;
    private final Receiver receiver;
    private final BusObserver observer;
    private final EventExecutor executor;
    /** The channels to subscribe. On the executor, as are subscriptions, so that each is subscribed once. */
    private final Set<String> channels = new HashSet<>();
    private final RedisLink<StatefulRedisConnection<String, byte[]>> commands;
    private final RedisLink<StatefulRedisPubSubConnection<String, byte[]>> messages;

    /** Receives what comes on channels, on threads of the bus. */
    interface Receiver {
        void subscribed(String channel);

        void message(String channel, byte[] frame);

        /** Called when the channel's connection is lost. */
        void lost(String channel);
    }

    /** The connections to a server; they are not open. */
    RedisShard(String bus, BusUrl url, RedisConnector connector, EventExecutor executor, Receiver receiver,
               BusObserver observer) {
        name = "bus " + bus + ", " + url;
        this.executor = executor;
        this.receiver = receiver;
        this.observer = observer;
        commands = new RedisLink<>(name + ", commands", executor, () -> connector.commands(url),
                connection -> connection.async().ping(), new Commands());
        messages = new RedisLink<>(name + ", messages", executor, () -> connector.messages(url),
                connection -> connection.async().ping(), new Messages());
    }

    void open() {
        commands.open();
        messages.open();
    }

    /** Returns the connection for commands; null if there is none. Any thread. */
    @Nullable StatefulRedisConnection<String, byte[]> commands() {
        return commands.connection();
    }

    /** Returns the reason why commands or messages do not pass; null if they do. Any thread. */
    @Nullable String problem() {
        String problem = commands.problem();
        return problem == null ? messages.problem() : problem;
    }

    /** Subscribes a channel, now or as soon as there is a connection. Any thread. */
    void subscribe(String channel) {
        executor.execute(() -> {
            channels.add(channel);
            StatefulRedisPubSubConnection<String, byte[]> open = messages.connection();
            if (open != null) {
                subscribe(open, channel);
            }
        });
    }

    private void subscribe(StatefulRedisPubSubConnection<String, byte[]> open, String... some) {
        open.async().subscribe(some).whenComplete((_, failure) -> {
            if (failure != null && open.isOpen()) {
                log.warn("{}: {} and {} more were not subscribed: {}; their topics get 503: check the "
                        + "channels that the user may use", name, some[0], some.length - 1,
                        failure.getMessage());
            }
        });
    }

    /** Ends a subscription. Any thread. */
    void unsubscribe(String channel) {
        executor.execute(() -> {
            channels.remove(channel);
            StatefulRedisPubSubConnection<String, byte[]> open = messages.connection();
            if (open != null) {
                open.async().unsubscribe(channel);
            }
        });
    }

    /** Closes the connections. On the executor; the result completes when they are closed. */
    CompletableFuture<Void> close() {
        return CompletableFuture.allOf(commands.close(), messages.close());
    }

    private final class Commands
            implements RedisLink.Listener<StatefulRedisConnection<String, byte[]>> {
        @Override
        public CompletionStage<?> prepare(StatefulRedisConnection<String, byte[]> opened, boolean again) {
            if (again) {
                observer.reconnected();
            }
            return RedisScript.PUBLISH.load(opened).thenCompose(_ -> RedisScript.READ.load(opened));
        }

        @Override
        public void opened(StatefulRedisConnection<String, byte[]> opened) {
            // It is asked for.
        }

        @Override
        public void lost() {
            // What was under way has failed.
        }
    }

    private final class Messages
            implements RedisLink.Listener<StatefulRedisPubSubConnection<String, byte[]>> {
        @Override
        public CompletionStage<?> prepare(StatefulRedisPubSubConnection<String, byte[]> opened,
                                          boolean again) {
            if (again) {
                observer.reconnected();
            }
            opened.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void subscribed(String channel, long count) {
                    receiver.subscribed(channel);
                }

                @Override
                public void message(String channel, byte[] frame) {
                    receiver.message(channel, frame);
                }
            });
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void opened(StatefulRedisPubSubConnection<String, byte[]> opened) {
            String[] all = channels.toArray(String[]::new);
            if (all.length > 0) {
                subscribe(opened, all);
            }
        }

        @Override
        public void lost() {
            channels.forEach(receiver::lost);
        }
    }
}
