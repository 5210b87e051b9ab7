package io.sluice.handlers.bus.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.config.topic.BusConfig;
import io.sluice.handlers.topic.Bus;
import io.sluice.handlers.topic.BusObserver;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A bus on a Redis or Valkey (decision 27). */
public final class RedisBus implements Bus {
    private static final Logger log = LoggerFactory.getLogger(RedisBus.class);
    private static final long CLOSE_MILLIS = 2000;

    private final String name;
    private final BusConfig config;
    private final ByteBufAllocator alloc;
    private final BusObserver observer;
    private final EventExecutor executor;
    private final RedisConnector connector;
    private final RedisServers servers;
    private final PendingCalls publications;
    private final PendingCalls reads;
    private final CountDownLatch connected = new CountDownLatch(1);
    /** The subscriptions, by the names of their channels. */
    private final Map<String, Subscriptions> subscriptions = new ConcurrentHashMap<>();

    private record Subscription(RedisChannel channel, String topic) {
    }

    /** The subscriptions of a topic: several while a reload replaces the topics of a set. */
    private static final class Subscriptions {
        final List<Subscription> all = new CopyOnWriteArrayList<>();
        volatile boolean inEffect;
    }

    /**
     * A bus that begins to connect. Does not block; until there is a connection, publications fail with 503.
     *
     * @param alloc allocates the payloads of messages that come
     */
    public RedisBus(String name, BusConfig config, ByteBufAllocator alloc, BusObserver observer) {
        this.name = name;
        this.config = config;
        this.alloc = alloc;
        this.observer = observer;
        executor = new DefaultEventExecutor(new DefaultThreadFactory("bus-" + name, true));
        connector = new RedisConnector(name, config);
        publications = new PendingCalls(executor, config.queueLimit(), config.publishTimeout().toNanos());
        reads = new PendingCalls(executor, config.queueLimit(), config.publishTimeout().toNanos());
        var messages = new Messages();
        servers = config.cluster()
                ? new ClusterShards(name, config.url(), connector, executor, messages, observer)
                : new RedisShard(name, config.url(), connector, executor, messages, observer, false);
        servers.open();
    }

    @Override
    public Channel open(String set, Keep keep, Receiver receiver) {
        return new RedisChannel(this, new TopicKeys(config.keyPrefix(), set), keep, receiver);
    }

    /** Passes received messages on. Called on threads of the driver. */
    private final class Messages implements RedisServers.Receiver {
        @Override
        public void opened() {
            if (servers.problem() == null) {
                connected.countDown();
            }
        }

        @Override
        public void subscribed(String channel) {
            Subscriptions found = subscriptions.get(channel);
            if (found != null) {
                found.inEffect = true;
                found.all.forEach(each -> each.channel.receiver().subscribed(each.topic));
            }
        }

        @Override
        public void message(String channel, byte[] frame) {
            Subscriptions found = subscriptions.get(channel);
            if (found != null) {
                found.all.forEach(each -> message(each, frame));
            }
        }

        private void message(Subscription subscription, byte[] frame) {
            Frames.Frame message = Frames.parse(frame, alloc);
            if (message != null) {
                subscription.channel.receiver().message(subscription.topic, message.position(),
                        message.text(), message.payload());
            }
        }

        @Override
        public void lost(String channel) {
            Subscriptions found = subscriptions.get(channel);
            if (found != null) {
                found.inEffect = false;
                found.all.forEach(each -> each.channel.receiver().lost(each.topic));
            }
        }
    }

    void subscribe(RedisChannel channel, String topic) {
        String key = channel.keys().channel(topic);
        Subscriptions shared = subscriptions.compute(key, (_, found) -> {
            Subscriptions present = found == null ? new Subscriptions() : found;
            present.all.add(new Subscription(channel, topic));
            return present;
        });
        if (shared.inEffect) {
            executor.execute(() -> channel.receiver().subscribed(topic));
        } else {
            servers.subscribe(key); // once it is found by the name, as an answer may come at once
        }
    }

    void unsubscribe(RedisChannel channel, String topic) {
        subscriptions.computeIfPresent(channel.keys().channel(topic), (key, found) -> {
            found.all.remove(new Subscription(channel, topic));
            if (found.all.isEmpty()) {
                servers.unsubscribe(key);
                return null;
            }
            return found;
        });
    }

    void closed(RedisChannel channel) {
        subscriptions.values().forEach(present -> present.all.stream().filter(each -> each.channel == channel)
                .forEach(each -> unsubscribe(channel, each.topic)));
    }

    /** Returns the connection to the server of a key; null if there is none. */
    @Nullable StatefulRedisConnection<String, byte[]> commands(String key) {
        return servers.commands(key);
    }

    /** Looks for the right server, since one has told that it is not. */
    void moved() {
        servers.moved();
    }

    /** Returns whether channels belong to slots of a cluster. */
    boolean isSharded() {
        return config.cluster();
    }

    /** Returns whether Sentinels decide which server is the master. */
    boolean hasSentinels() {
        return config.url().master().isPresent();
    }

    PendingCalls publications() {
        return publications;
    }

    PendingCalls reads() {
        return reads;
    }

    ByteBufAllocator alloc() {
        return alloc;
    }

    BusObserver observer() {
        return observer;
    }

    String name() {
        return name;
    }

    @Override
    public EventExecutor executor() {
        return executor;
    }

    /** Returns whether a key can be read and its messages come. */
    boolean isConnected(String key) {
        return servers.problem(key) == null;
    }

    @Override
    public State state() {
        String problem = servers.problem();
        return new State(problem == null, problem, publications.underWay());
    }

    /** Waits until the bus has been connected once, or until the time is up. Blocks. */
    public void awaitConnected(long timeout, TimeUnit unit) throws InterruptedException {
        connected.await(timeout, unit);
    }

    @Override
    public void close() {
        try {
            servers.close().get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            log.warn("bus {}: its connections were not closed in order", name, e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        publications.close();
        reads.close();
        connector.close();
        executor.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSE_MILLIS);
    }
}
