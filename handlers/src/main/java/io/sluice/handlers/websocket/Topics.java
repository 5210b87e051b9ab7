package io.sluice.handlers.websocket;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.TopicsConfig;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.SharedMessage;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The topics that some routes share. Publishing is safe from any thread and does not wait for subscribers,
 * who all see a topic's messages in one order. A topic without subscribers takes no memory, but for its last
 * message where that is kept.
 *
 * <p>What is published and not yet handed to every socket is bounded, in bytes and in work for an event loop.
 * A socket's own slowness is no part of that: it is the socket's, within its budget.
 */
public final class Topics implements AutoCloseable {
    private static final long MAX_BYTES_UNDER_WAY = 64 << 20;

    /** Computing a topic's entry is the lock on it; nothing in there calls a socket. */
    private final ConcurrentHashMap<String, Topic> topics = new ConcurrentHashMap<>();
    private final Map<EventExecutor, FanOut> fanOuts = new ConcurrentHashMap<>();
    private final LastMessages lastMessages;
    private final AtomicInteger subscribers = new AtomicInteger();
    private final AtomicLong bytesUnderWay = new AtomicLong();

    /**
     * Topics at a moment.
     *
     * @param topics that somebody listens to
     * @param bytesUnderWay of messages that were published and not yet handed to every socket
     * @param bytesKept of last messages
     */
    public record Stats(int topics, int subscribers, long bytesUnderWay, long bytesKept) {
    }

    /** Topics that nobody listens to yet. */
    public Topics(TopicsConfig config) {
        lastMessages = new LastMessages(config.lastMessages().bytes());
    }

    /**
     * Publishes, for those who can be refused.
     *
     * @param message stays the caller's
     * @return how many subscribers will get it, if they stay
     * @throws HttpException 503 where messages come faster than they can be sent
     */
    public int publish(String topic, SharedMessage message) {
        return publish(topic, new Delivery(message, null, bytesUnderWay)).subscribers();
    }

    /**
     * Publishes, for those who can wait.
     *
     * @param message stays the caller's
     * @param publisher the publisher's event loop, on which the future's listeners are called
     * @return done where the next message is welcome, which is at once unless messages come faster than they
     *     can be sent. It does not fail.
     */
    public Future<Void> publish(String topic, SharedMessage message, EventExecutor publisher) {
        return publish(topic, new Delivery(message, publisher, bytesUnderWay)).caughtUp();
    }

    /** A moment's numbers; from any thread. */
    public Stats stats() {
        return new Stats(topics.size(), subscribers.get(), bytesUnderWay.get(), lastMessages.bytes());
    }

    /** Follows another configuration from here on; subscribers stay. Any thread. */
    public void follow(TopicsConfig config) {
        lastMessages.limit(config.lastMessages().bytes());
    }

    /** Forgets the last messages, and keeps none from here on. For a gateway whose sockets are closed. */
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
     * From here on the subscriber gets the topic's messages. On its event loop.
     *
     * @return the last message before, owned by the caller; null where none is kept
     */
    SharedMessage subscribe(String name, EventExecutor loop, Subscriber subscriber) {
        FanOut fanOut = fanOuts.computeIfAbsent(loop, FanOut::new);
        var last = new AtomicReference<SharedMessage>();
        topics.compute(name, (_, found) -> {
            Topic topic = found == null ? new Topic() : found;
            topic.join(subscriber, fanOut);
            last.setPlain(lastMessages.get(name));
            return topic;
        });
        subscribers.incrementAndGet();
        return last.getPlain();
    }

    /** From here on it gets nothing more. On its event loop, once. */
    void unsubscribe(String name, Subscriber subscriber) {
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
