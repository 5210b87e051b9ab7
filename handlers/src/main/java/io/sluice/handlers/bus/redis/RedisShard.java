package io.sluice.handlers.bus.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.config.topic.BusUrl;
import io.sluice.handlers.topic.BusObserver;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server of a bus: a connection for commands, and one for messages of the subscribed channels. */
final class RedisShard implements RedisServers {
    private static final Logger log = LoggerFactory.getLogger(RedisShard.class);

    private static final long AGAIN_MILLIS = 1000;
    private static final String MEANWHILE = "topics get 503 meanwhile";

    private final String name;
    private final Receiver receiver;
    private final BusObserver observer;
    private final boolean sharded;
    private final EventExecutor executor;
    /** The channels to subscribe. On the executor, as are subscriptions, so that each is subscribed once. */
    private final Set<String> channels = new HashSet<>();
    private final RedisLink<StatefulRedisConnection<String, byte[]>> commands;
    private final RedisLink<StatefulRedisPubSubConnection<String, byte[]>> messages;
    /** A watch of each Sentinel: they learn of another master at different times. */
    private final List<SentinelWatch> sentinels;

    /**
     * The connections to a server; they are not open.
     *
     * @param sharded whether channels belong to slots of a cluster
     */
    RedisShard(String bus, BusUrl url, RedisConnector connector, EventExecutor executor, Receiver receiver,
               BusObserver observer, boolean sharded) {
        name = "bus " + bus + ", " + url;
        this.executor = executor;
        this.receiver = receiver;
        this.observer = observer;
        this.sharded = sharded;
        commands = new RedisLink<>(name + ", commands", MEANWHILE, executor, () -> connector.commands(url),
                connection -> connection.async().ping(), new Commands());
        messages = new RedisLink<>(name + ", messages", MEANWHILE, executor, () -> connector.messages(url),
                connection -> connection.async().ping(), new Messages());
        sentinels = url.master().map(master -> url.servers().stream()
                .map(server -> new BusUrl(url.secure(), List.of(server), 0, Optional.empty()))
                .map(server -> new SentinelWatch(bus, master, server, connector, executor, this::reconnect))
                .toList()).orElse(List.of());
    }

    @Override
    public void open() {
        commands.open();
        messages.open();
        sentinels.forEach(SentinelWatch::open);
    }

    @Override
    public @Nullable StatefulRedisConnection<String, byte[]> commands(String key) {
        return commands.connection();
    }

    @Override
    public @Nullable String problem() {
        String problem = commands.problem();
        return problem == null ? messages.problem() : problem;
    }

    @Override
    public void subscribe(String channel) {
        executor.execute(() -> {
            channels.add(channel);
            StatefulRedisPubSubConnection<String, byte[]> open = messages.connection();
            if (open != null) {
                subscribe(open, channel);
            }
        });
    }

    private void subscribe(StatefulRedisPubSubConnection<String, byte[]> open, String channel) {
        (sharded ? open.async().ssubscribe(channel) : open.async().subscribe(channel))
                .whenCompleteAsync((_, failure) -> {
                    if (failure != null && open.isOpen()) {
                        log.warn("{}: {} was not subscribed: {}; its topic gets 503, and it is tried again: "
                                + "check the channels that the user may use", name, channel,
                                failure.getMessage());
                        subscribeAgain(channel);
                    }
                }, executor);
    }

    /** Subscribes a channel a moment later, since the server does not have it, or not any more. */
    private void subscribeAgain(String channel) {
        if (channels.contains(channel)) {
            receiver.lost(channel);
            executor.schedule(() -> {
                StatefulRedisPubSubConnection<String, byte[]> open = messages.connection();
                if (open != null && channels.contains(channel)) {
                    subscribe(open, channel);
                }
            }, AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void unsubscribe(String channel) {
        executor.execute(() -> {
            channels.remove(channel);
            StatefulRedisPubSubConnection<String, byte[]> open = messages.connection();
            if (open != null && sharded) {
                open.async().sunsubscribe(channel);
            } else if (open != null) {
                open.async().unsubscribe(channel);
            }
        });
    }

    /** Connects anew: the address may be that of another server by now. */
    @Override
    public void moved() {
        executor.execute(this::reconnect);
    }

    private void reconnect() {
        commands.reconnect();
        messages.reconnect();
    }

    @Override
    public CompletableFuture<Void> close() {
        return CompletableFuture.supplyAsync(() -> CompletableFuture.allOf(Stream.concat(
                Stream.of(commands.close(), messages.close()), sentinels.stream().map(SentinelWatch::close))
                .toArray(CompletableFuture[]::new)), executor).thenCompose(closed -> closed);
    }

    private final class Commands
            implements RedisLink.Listener<StatefulRedisConnection<String, byte[]>> {
        @Override
        public CompletionStage<?> prepare(StatefulRedisConnection<String, byte[]> opened, boolean again) {
            if (again) {
                observer.reconnected();
            }
            return RedisScript.PUBLISH.load(opened).thenCompose(_ -> RedisScript.READ.load(opened))
                    .thenCompose(_ -> RedisScript.PRESENCE.load(opened))
                    .thenCompose(_ -> RedisScript.RENEW.load(opened));
        }

        @Override
        public void opened(StatefulRedisConnection<String, byte[]> opened) {
            receiver.opened();
        }

        @Override
        public void lost() {
            // The calls under way have failed by themselves.
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

                @Override
                public void ssubscribed(String channel, long count) {
                    receiver.subscribed(channel);
                }

                @Override
                public void smessage(String channel, byte[] frame) {
                    receiver.message(channel, frame);
                }

                @Override
                public void sunsubscribed(String channel, long count) {
                    executor.execute(() -> subscribeAgain(channel)); // the slot has moved
                }
            });
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void opened(StatefulRedisPubSubConnection<String, byte[]> opened) {
            channels.forEach(channel -> subscribe(opened, channel));
            receiver.opened();
        }

        @Override
        public void lost() {
            channels.forEach(receiver::lost);
        }
    }
}
