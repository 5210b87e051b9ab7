package io.sluice.handlers.websocket;

import java.util.HashMap;
import java.util.Map;

/** A topic that somebody listens to: its subscribers by event loop. Guarded by {@link Topics}' lock on it. */
final class Topic {
    private final Map<FanOut, LoopSubscribers> groups = new HashMap<>(2);
    private int subscribers;
    /** How many messages it has had: each message's number is its place in the topic's order. */
    private long messages;

    /** From here on the subscriber gets what is published; what is under way was before its time. */
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

    /** Hands a message to each event loop once. */
    void publish(Delivery delivery) {
        delivery.number(++messages, subscribers);
        groups.values().forEach(group -> group.accept(delivery));
    }
}
