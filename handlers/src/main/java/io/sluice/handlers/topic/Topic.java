package io.sluice.handlers.topic;

import java.util.HashMap;
import java.util.Map;

/** The subscribers of a topic by event loop. Guarded by {@link Topics}' lock of the topic. */
final class Topic {
    private final Map<FanOut, LoopSubscribers> groups = new HashMap<>(2);
    private int subscribers;
    /** The number of messages so far; a message's number is its place in the topic's order. */
    private long messages;

    /** Adds a subscriber, which gets the messages that are published from now on. */
    void join(Subscriber subscriber, FanOut fanOut) {
        LoopSubscribers group = groups.computeIfAbsent(fanOut, LoopSubscribers::new);
        group.add(subscriber);
        subscriber.group = group;
        subscriber.seen = messages;
        subscribers++;
    }

    void leave(Subscriber subscriber) {
        LoopSubscribers group = subscriber.group;
        group.remove(subscriber);
        if (group.isEmpty()) {
            groups.remove(group.fanOut());
        }
        subscribers--;
    }

    boolean isEmpty() {
        return subscribers == 0;
    }

    boolean isBehind() {
        for (LoopSubscribers group : groups.values()) {
            if (group.isBehind()) {
                return true;
            }
        }
        return false;
    }

    /** Passes a message to each event loop once. */
    void publish(Delivery delivery) {
        delivery.number(++messages, subscribers);
        groups.values().forEach(group -> group.accept(delivery));
    }
}
