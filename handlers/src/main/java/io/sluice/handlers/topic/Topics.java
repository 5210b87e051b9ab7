package io.sluice.handlers.topic;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.TopicsConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.SharedMessage;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A set of topics that routes share. Publishing is thread-safe and does not wait for subscribers, which all
 * receive a topic's messages in one order. A topic without subscribers takes no memory, except for its last
 * message if that is kept.
 *
 * <p>Messages that have not been passed to every socket are limited, in bytes and in work for an event loop.
 * Messages that wait for a slow client count in the socket's budget instead.
 */
public final class Topics implements AutoCloseable {
    private static final long MAX_BYTES_UNDER_WAY = 64 << 20;

    /** Computing a topic's entry locks the topic; sockets are not called in there. */
    private final ConcurrentHashMap<String, Topic> topics = new ConcurrentHashMap<>();
    private final Map<EventExecutor, FanOut> fanOuts = new ConcurrentHashMap<>();
    private final LastMessages lastMessages;
    private final AtomicInteger subscribers = new AtomicInteger();
    private final AtomicLong bytesUnderWay = new AtomicLong();

    /**
     * A snapshot of the topics.
     *
     * @param topics the number of topics with subscribers
     * @param bytesUnderWay the bytes of published messages that have not been passed to every socket
     * @param bytesKept the bytes of last messages
     */
    public record Stats(int topics, int subscribers, long bytesUnderWay, long bytesKept) {
    }

    /** Creates a set without subscribers. */
    public Topics(TopicsConfig config) {
        lastMessages = new LastMessages(config.lastMessages().bytes());
    }

    /**
     * Publishes a message, which may be rejected. Any thread.
     *
     * @param message stays the caller's
     * @return the number of subscribers that will get it, unless they leave
     * @throws HttpException 503 if messages arrive faster than they can be sent
     */
    public int publish(String topic, SharedMessage message) {
        return publish(topic, new Delivery(message, null, bytesUnderWay)).subscribers();
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
        return publish(topic, new Delivery(message, publisher, bytesUnderWay)).caughtUp(publisher);
    }

    /** Returns the name of the topic that the path of a request names: its {@code {topic}}. */
    public static String named(Exchange exchange) {
        String topic = exchange.pathParameter("topic");
        if (topic == null) {
            throw new IllegalStateException("path: no {topic} (expected: one, as in all such routes)");
        }
        return topic;
    }

    /** Returns a snapshot. Any thread. */
    public Stats stats() {
        return new Stats(topics.size(), subscribers.get(), bytesUnderWay.get(), lastMessages.bytes());
    }

    /** Applies another configuration; subscribers stay. Any thread. */
    public void follow(TopicsConfig config) {
        lastMessages.limit(config.lastMessages().bytes());
    }

    /** Drops the last messages, and keeps none from here on; to be called when all sockets are closed. */
    @Override
    public void close() {
        lastMessages.limit(0);
    }

    private Delivery publish(String name, Delivery delivery) {
        try {
            topics.compute(name, (_, topic) -> {
                if (topic != null) {
                    if (topic.isBehind() || bytesUnderWay.get() - delivery.bytes() > MAX_BYTES_UNDER_WAY) {
                        delivery.slowDown(name);
                    }
                    topic.publish(delivery);
                }
                lastMessages.put(name, delivery.message());
                return topic;
            });
        } finally {
            delivery.done();
        }
        return delivery;
    }

    /**
     * Subscribes to a topic's messages from now on, its last message first if that is kept. On the
     * subscriber's event loop.
     */
    public void subscribe(String name, EventExecutor loop, Subscriber subscriber) {
        FanOut fanOut = fanOuts.computeIfAbsent(loop, FanOut::new);
        var last = new AtomicReference<@Nullable SharedMessage>();
        topics.compute(name, (_, found) -> {
            Topic topic = found == null ? new Topic() : found;
            topic.join(subscriber, fanOut);
            last.setPlain(lastMessages.get(name));
            return topic;
        });
        subscribers.incrementAndGet();
        SharedMessage message = last.getPlain();
        if (message != null) {
            try {
                subscriber.deliver(message);
            } finally {
                message.release();
            }
        }
    }

    /** Unsubscribes. On the subscriber's event loop, once. */
    public void unsubscribe(String name, Subscriber subscriber) {
        topics.computeIfPresent(name, (_, topic) -> {
            topic.leave(subscriber);
            return topic.isEmpty() ? null : topic;
        });
        subscribers.decrementAndGet();
        if (subscriber.group.isEmpty()) {
            subscriber.group.abandon();
        }
    }
}
