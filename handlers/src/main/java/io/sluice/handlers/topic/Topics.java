package io.sluice.handlers.topic;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.TopicsConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.SharedMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A set of topics that routes share. Publishing is thread-safe and does not wait for subscribers, which all
 * receive a topic's messages in one order. A topic without subscribers takes no memory, except for messages
 * that are kept. When nothing is left of a topic, its epoch ends, too.
 *
 * <p>Messages that have not been passed to every socket are limited, in bytes and in work for an event loop.
 * Messages that wait for a slow client count in the socket's budget instead.
 */
public final class Topics implements AutoCloseable {
    private static final long MAX_BYTES_UNDER_WAY = 64 << 20;
    /** The number of messages that a subscriber catches up with at a time. */
    private static final int BATCH = 32;

    /** Computing a topic's entry locks the topic; sockets are not called in there. */
    private final ConcurrentHashMap<String, Topic> topics = new ConcurrentHashMap<>();
    private final Map<EventExecutor, FanOut> fanOuts = new ConcurrentHashMap<>();
    private final KeptMessages lastMessages;
    private final KeptMessages history;
    /** The epoch of topics without a message so far. */
    private volatile long epoch;
    private final AtomicInteger subscribers = new AtomicInteger();
    private final AtomicLong bytesUnderWay = new AtomicLong();
    private final LongAdder recovered = new LongAdder();
    private final LongAdder resyncs = new LongAdder();

    /**
     * A snapshot of the topics.
     *
     * @param topics the number of topics with subscribers
     * @param bytesUnderWay the bytes of published messages that have not been passed to every socket
     * @param bytesKept the bytes of last messages and history
     * @param recovered the number of messages that subscribers got from the history
     * @param resyncs the number of subscribers that were told that they may have missed messages
     */
    public record Stats(int topics, int subscribers, long bytesUnderWay, long bytesKept, long recovered,
                        long resyncs) {
    }

    /** Creates a set without subscribers. */
    public Topics(TopicsConfig config) {
        this(config, System::nanoTime);
    }

    Topics(TopicsConfig config, LongSupplier nanoTime) {
        beginEpoch();
        lastMessages = new KeptMessages(lastLimits(config), nanoTime, this::beginEpoch);
        history = new KeptMessages(historyLimits(config), nanoTime, this::beginEpoch);
    }

    private static KeepLimits lastLimits(TopicsConfig config) {
        return KeepLimits.ofLast(config.lastMessages().bytes());
    }

    private static KeepLimits historyLimits(TopicsConfig config) {
        return config.history().map(limits ->
                new KeepLimits(limits.messages(), limits.age(), limits.bytes().bytes()))
                .orElse(KeepLimits.NONE);
    }

    /** Returns the name of the topic that the path of a request names: its {@code {topic}}. */
    public static String named(Exchange exchange) {
        String topic = exchange.pathParameter("topic");
        if (topic == null) {
            throw new IllegalStateException("path: no {topic} (expected: one, as in all such routes)");
        }
        return topic;
    }

    /**
     * Publishes a message, which may be rejected. Any thread.
     *
     * @param message stays the caller's
     * @return the number of subscribers that will get it, unless they leave
     * @throws HttpException 503 if messages arrive faster than they can be sent
     */
    public int publish(String topic, SharedMessage message) {
        return deliver(topic, message, null).subscribers();
    }

    /**
     * Publishes a message, after which the publisher may have to wait. Any thread.
     *
     * @param message stays the caller's
     * @param publisher the publisher's event loop, on which the future's listeners are called
     * @return completes when the next message may be published, which is at once unless messages arrive
     *     faster than they can be sent; never fails
     */
    public Future<Void> publish(String topic, SharedMessage message, EventExecutor publisher) {
        return deliver(topic, message, publisher).caughtUp(publisher);
    }

    private Delivery deliver(String name, SharedMessage message, @Nullable EventExecutor publisher) {
        var made = new Delivery[1];
        topics.compute(name, (_, topic) -> {
            boolean behind = topic != null
                    && (topic.isBehind() || bytesUnderWay.get() > MAX_BYTES_UNDER_WAY);
            if (behind && publisher == null) {
                throw HttpException.tryAgain("topic: %s (expected: fewer or smaller messages a second)"
                        .formatted(name), null);
            }
            made[0] = new Delivery(TopicMessage.of(head(name, topic).next(), message),
                    behind ? publisher.newPromise() : null, bytesUnderWay);
            if (topic != null) {
                topic.deliver(made[0]);
            }
            lastMessages.put(name, made[0].message());
            history.put(name, made[0].message());
            if (topic == null && keptHead(name) == null) {
                beginEpoch();
            }
            return topic;
        });
        made[0].done();
        return made[0];
    }

    /** Returns the position of a topic's last message, or the beginning of an epoch. */
    private Position head(String name, @Nullable Topic topic) {
        Position head = topic == null ? keptHead(name) : topic.head();
        return head == null ? new Position(epoch, 0) : head;
    }

    private @Nullable Position keptHead(String name) {
        Position head = history.head(name);
        return head == null ? lastMessages.head(name) : head;
    }

    /** Begins an epoch, since it is forgotten how many messages of a topic were in the one before. */
    private void beginEpoch() {
        epoch = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
    }

    /** Returns a snapshot. Any thread. */
    public Stats stats() {
        return new Stats(topics.size(), subscribers.get(), bytesUnderWay.get(),
                lastMessages.bytes() + history.bytes(), recovered.sum(), resyncs.sum());
    }

    /** Applies another configuration; subscribers stay. Any thread. */
    public void follow(TopicsConfig config) {
        lastMessages.limit(lastLimits(config));
        history.limit(historyLimits(config));
    }

    /** Drops the kept messages, and keeps none from here on; to be called when all sockets are closed. */
    @Override
    public void close() {
        lastMessages.limit(KeepLimits.NONE);
        history.limit(KeepLimits.NONE);
    }

    /**
     * Subscribes to a topic's messages from now on, its last message first if that is kept. On the
     * subscriber's event loop.
     *
     * @param after for a subscriber with positions, the last one that it has seen: it gets the messages that
     *     follow, or a notice that some may be missing; empty for the present, of which it gets a notice if
     *     there is no last message. Null for one without positions
     */
    public void subscribe(String name, EventExecutor loop, Subscriber subscriber, @Nullable String after) {
        FanOut fanOut = fanOuts.computeIfAbsent(loop, FanOut::new);
        subscribers.incrementAndGet();
        if (after != null && !after.isEmpty()) {
            var catchUp = new CatchUp(this, name, subscriber, fanOut, Position.parse(after));
            subscriber.catchUp = catchUp;
            catchUp.begin();
            return;
        }
        var first = new @Nullable TopicMessage[1];
        topics.compute(name, (_, found) -> {
            Topic topic = found == null ? new Topic(head(name, null)) : found;
            topic.join(subscriber, fanOut);
            first[0] = lastMessages.last(name);
            if (first[0] == null && after != null) {
                first[0] = TopicMessage.notice(TopicMessage.Kind.BEGIN, topic.head());
            }
            return topic;
        });
        if (first[0] != null) {
            LoopSubscribers.deliver(first[0], subscriber);
            first[0].release();
        }
    }

    /**
     * Returns the next messages for a subscriber that catches up, owned by the caller. If there is none, or
     * it cannot be known, it joins the others; then the result is empty, or a notice.
     *
     * @param at the position of the subscriber; null if it is not known
     */
    List<TopicMessage> next(String name, @Nullable Position at, Subscriber subscriber, FanOut fanOut) {
        var next = new ArrayList<TopicMessage>();
        topics.compute(name, (_, found) -> {
            Position head = head(name, found);
            if (!head.equals(at)) {
                List<TopicMessage> missed = at == null ? null : history.after(name, at, BATCH);
                if (missed != null && !missed.isEmpty()) {
                    next.addAll(missed);
                    return found;
                }
                next.add(TopicMessage.notice(TopicMessage.Kind.RESYNC, head));
                resyncs.increment();
            }
            Topic topic = found == null ? new Topic(head) : found;
            topic.join(subscriber, fanOut);
            subscriber.catchUp = null;
            return topic;
        });
        return next;
    }

    /** Counts a message that a subscriber got from the history. */
    void recovered() {
        recovered.increment();
    }

    /** Unsubscribes, if it is subscribed. On the subscriber's event loop. */
    public void unsubscribe(String name, Subscriber subscriber) {
        if (!subscriber.isSubscribed()) {
            return;
        }
        subscribers.decrementAndGet();
        LoopSubscribers group = subscriber.group;
        subscriber.catchUp = null;
        subscriber.group = null;
        if (group == null) {
            return;
        }
        topics.computeIfPresent(name, (_, topic) -> {
            topic.leave(subscriber, group);
            if (topic.isEmpty() && topic.head().offset() > 0 && keptHead(name) == null) {
                beginEpoch();
            }
            return topic.isEmpty() ? null : topic;
        });
        if (group.isEmpty()) {
            group.abandon();
        }
    }
}
