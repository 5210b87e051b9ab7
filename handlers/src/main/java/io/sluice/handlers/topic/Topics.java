package io.sluice.handlers.topic;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.sluice.config.topic.PresenceConfig;
import io.sluice.config.topic.TopicsConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.WebSocket.DropReason;
import io.sluice.handlers.presence.Presence;
import io.sluice.handlers.rights.Caller;
import io.sluice.handlers.rights.Right;
import io.sluice.handlers.rights.TopicRights;
import io.sluice.offload.ClientNetwork;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A set of topics that routes share. Publishing is thread-safe and does not wait for subscribers, which all
 * receive a topic's messages in one order. A topic without subscribers takes no memory, except for messages
 * that are kept. With a bus, gateways share the topics.
 *
 * <p>Messages that have not been passed to every subscriber are limited, in bytes and in work for an event
 * loop. Messages that wait for a slow client count in its own budget instead.
 */
public final class Topics implements AutoCloseable {
    private static final TopicsConfig FEED =
            new TopicsConfig(Optional.empty(), new ByteSize(0), Optional.empty(), Optional.empty());

    final TopicTable table;
    private final Source source;
    private volatile TopicRights rights;
    /** Null if it is not configured, as is {@link #feed}. */
    private final @Nullable Presence presence;
    /** Sends the states of presence to the subscribers that have asked. */
    private final @Nullable Topics feed;

    /**
     * A snapshot of the topics.
     *
     * @param topics the number of topics with subscribers
     * @param bytesUnderWay the bytes of published messages that have not been passed to every subscriber
     * @param bytesKept the bytes of last messages and history
     * @param gaps how often messages of a bus did not come, or came too fast, and were read from its history
     * @param recovered the number of messages that came from the history, each time they were delivered
     * @param resyncs how often subscribers were told that they may have missed messages
     */
    public record Stats(int topics, int subscribers, long bytesUnderWay, long bytesKept, long gaps,
                        long recovered, long resyncs) {
    }

    /** Creates a set of topics of this process, without subscribers. */
    public Topics(TopicsConfig config) {
        this(config, new TopicTable(config), LocalSource::new);
    }

    /** Creates a set of topics on a bus, without subscribers; gateways share it by its name. */
    public Topics(String name, TopicsConfig config, Bus bus) {
        this(name, config, bus, BusSource.LINGER_MILLIS);
    }

    Topics(String name, TopicsConfig config, Bus bus, long lingerMillis) {
        this(config, new TopicTable(config), table -> new BusSource(name, config, table, bus, lingerMillis));
    }

    private Topics(TopicsConfig config, TopicTable table, Function<TopicTable, Source> source) {
        this.table = table;
        this.source = source.apply(table);
        rights = new TopicRights(config);
        PresenceConfig presenceConfig = config.presence().orElse(null);
        Topics states = presenceConfig == null ? null : new Topics(FEED);
        feed = states;
        presence = presenceConfig == null || states == null ? null
                : Presence.start(presenceConfig, this.source.roster(), (topic, state) ->
                        states.publish(topic, state, null, null, ImmediateEventExecutor.INSTANCE));
    }

    /** Returns the name of the topic that the path of a request names: its {@code {topic}}. */
    public static String named(Exchange exchange) {
        String topic = exchange.pathParameter("topic");
        if (topic == null) {
            throw new IllegalStateException("path: no {topic} (expected: one, as in all such routes)");
        }
        return topic;
    }

    static HttpException tooFast(String topic) {
        return HttpException.tryAgain("topic: %s (expected: fewer or smaller messages a second)"
                .formatted(topic), null);
    }

    /**
     * Publishes a message, which may be refused. Any thread.
     *
     * @param message stays the caller's
     * @param key an idempotency key, for a bus: see {@link Bus.Channel#publish}; null for none
     * @param client the publisher; null for the gateway itself
     * @param loop the event loop on which the future's listeners are called
     * @return completes when the message has its place in the topic's order, with a bus when that has it;
     *     fails with 503 if the bus does not
     * @throws HttpException 503 if messages, or those of the client, arrive faster than they can be sent
     */
    public Future<Published> publish(String topic, SharedMessage message, Bus.@Nullable Key key,
                                     @Nullable ClientNetwork client, EventExecutor loop) {
        return source.publish(topic, message, key, client, loop);
    }

    /**
     * Publishes a message, which stays the caller's. The publisher may have to wait after it. Any thread.
     *
     * @param publisher the client's event loop, on which the future's listeners are called
     * @return completes when the next message may be published, which is at once unless there is a bus or
     *     messages arrive faster than they can be sent; fails with 503 if the bus does not have the message
     */
    public Future<?> publishPaced(String topic, SharedMessage message, ClientNetwork client,
                                  EventExecutor publisher) {
        return source.publishPaced(topic, message, client, publisher);
    }

    /** Returns a snapshot. Any thread. */
    public Stats stats() {
        return new Stats(table.topics.size(), table.subscribers.get(), table.bytesUnderWay.used(),
                table.lastMessages.bytes() + table.history.bytes(), table.gaps.sum(), table.recovered.sum(),
                table.resyncs.sum());
    }

    /** Returns the number of messages that clients of event streams did not get, for a reason. Any thread. */
    public long dropped(DropReason reason) {
        return table.dropped(reason).sum();
    }

    /**
     * Applies another configuration of rights and of what is kept here. Subscribers stay, but those that have
     * no right any more. Any thread.
     */
    public void update(TopicsConfig config) {
        table.update(config);
        source.update(config);
        if (!rights.areOf(config)) {
            rights = new TopicRights(config);
            table.topics.keySet().forEach(name -> table.topics.computeIfPresent(name, (_, topic) -> {
                topic.check(subscriber -> check(name, subscriber));
                return topic;
            }));
        }
    }

    /** Returns the current rights. Any thread. */
    public TopicRights rights() {
        return rights;
    }

    /** Returns who is subscribed; empty if that is not configured. */
    public Optional<Presence> presence() {
        return Optional.ofNullable(presence);
    }

    /**
     * Returns whether a request to subscribe asks for presence: {@code ?presence=true}.
     *
     * @throws HttpException 400 if these topics have none
     */
    public boolean asksForPresence(Exchange exchange) {
        String asked = exchange.queryParameter("presence");
        if (asked == null || asked.equals("false")) {
            return false;
        }
        if (presence == null || !asked.equals("true")) {
            throw HttpException.badParameter("presence", asked,
                    presence == null ? "false, as these topics have none" : "true or false");
        }
        return true;
    }

    /** Ends a subscriber that has no right to a topic. On its event loop. */
    private void check(String name, Subscriber subscriber) {
        Caller caller = subscriber.caller();
        if (caller != null && !rights.allow(Right.SUBSCRIBE, name, caller)) {
            subscriber.forbidden();
        }
    }

    /** Drops the kept messages, and keeps none from here on; to be called when all sockets are closed. */
    @Override
    public void close() {
        if (presence != null) {
            presence.close();
        }
        source.close();
        table.close();
    }

    /**
     * Returns a future that completes when subscribers of a topic get what is published from then on: at
     * once, unless the topic has to be subscribed on a bus first. It fails with 503 if that is not possible
     * now. A subscriber may come without it, but does not know from when on it gets messages.
     *
     * @param loop the event loop on which the future's listeners are called
     */
    public Future<?> ready(String topic, EventExecutor loop) {
        return source.ready(topic, loop);
    }

    /**
     * Subscribes to a topic's messages from now on, its last message first if that is kept. On the
     * subscriber's event loop. A subscriber without the right, which a reload may have taken away since its
     * request, is ended.
     *
     * @param after for a subscriber with positions, the last one that it has seen: it gets the messages that
     *     follow, or a notice that some may be missing; empty for the present, of which it gets a notice if
     *     there is no last message. Null for one without positions
     */
    public void subscribe(String name, EventExecutor loop, Subscriber subscriber, @Nullable String after) {
        table.subscribers.incrementAndGet();
        Caller caller = subscriber.caller();
        if (presence != null && caller != null) {
            presence.joined(name, caller);
        }
        if (after == null) {
            present(name, loop, subscriber);
        } else {
            var catchUp = new CatchUp(table, source, name, subscriber, loop, after,
                    () -> check(name, subscriber));
            subscriber.catchUp = catchUp;
            catchUp.begin();
        }
        if (subscriber.isSubscribed()) {
            check(name, subscriber);
        }
    }

    /**
     * Has a subscriber told who is subscribed, within an interval, and then when that changes. Requires that
     * presence is configured. On its event loop, after {@link #subscribe}.
     */
    public void watch(String name, EventExecutor loop, PacedSubscriber subscriber) {
        if (subscriber.isSubscribed() && feed != null && presence != null) {
            subscriber.watcher = new PresenceWatcher(subscriber);
            feed.subscribe(name, loop, subscriber.watcher, null);
            presence.watched(name);
        }
    }

    private void unwatch(String name, Subscriber subscriber) {
        PresenceWatcher watcher = subscriber.watcher;
        if (watcher != null && feed != null && presence != null) {
            subscriber.watcher = null;
            presence.unwatched(name);
            feed.unsubscribe(name, watcher);
            watcher.drop();
        }
    }

    private void present(String name, EventExecutor loop, Subscriber subscriber) {
        var last = new @Nullable TopicMessage[1];
        table.topics.compute(name, (_, found) -> {
            Topic topic = found == null ? source.open(name) : found;
            topic.join(subscriber, table.fanOut(loop));
            last[0] = table.lastMessages.last(name);
            return topic;
        });
        if (last[0] != null) {
            LoopSubscribers.deliver(last[0], subscriber);
            last[0].release();
        }
    }

    /** Unsubscribes, if it is subscribed. On the subscriber's event loop. */
    public void unsubscribe(String name, Subscriber subscriber) {
        if (!subscriber.isSubscribed()) {
            return;
        }
        table.subscribers.decrementAndGet();
        unwatch(name, subscriber);
        Caller caller = subscriber.caller();
        if (presence != null && caller != null) {
            presence.left(name, caller);
        }
        LoopSubscribers group = subscriber.group;
        if (subscriber.catchUp != null) {
            subscriber.catchUp.drop();
        }
        subscriber.catchUp = null;
        subscriber.group = null;
        if (group == null) {
            return;
        }
        table.topics.computeIfPresent(name, (_, topic) -> {
            topic.leave(subscriber, group);
            return topic.isEmpty() ? source.abandon(name, topic) : topic;
        });
        if (group.isEmpty()) {
            group.abandon();
        }
    }
}
