package io.sluice.handlers.topic;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The subscribers of a topic by event loop. Guarded by {@link Topics}' lock of the topic. */
class Topic {
    private final Map<FanOut, LoopSubscribers> groups = new HashMap<>(2);
    private int subscribers;
    /** The number of deliveries so far; a delivery's number is its place in their order. */
    private long deliveries;
    /** The position of the last message; null if it is not known. */
    private @Nullable Position head;

    Topic(@Nullable Position head) {
        this.head = head;
    }

    /** Adds a subscriber, which gets the messages that are published from now on. */
    void join(Subscriber subscriber, FanOut fanOut) {
        LoopSubscribers group = groups.computeIfAbsent(fanOut, LoopSubscribers::new);
        group.add(subscriber);
        subscriber.group = group;
        subscriber.seen = deliveries;
        subscribers++;
    }

    /** Removes a subscriber from its group. */
    void leave(Subscriber subscriber, LoopSubscribers group) {
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

    int subscribers() {
        return subscribers;
    }

    final @Nullable Position head() {
        return head;
    }

    final void head(Position known) {
        head = known;
    }

    /** Has each event loop check its subscribers, in turns with its other work. */
    void check(Consumer<Subscriber> check) {
        groups.values().forEach(group -> group.check(check));
    }

    /** Passes a message to each event loop once. */
    void deliver(Delivery delivery) {
        head = delivery.message().position();
        delivery.number(++deliveries, subscribers);
        groups.values().forEach(group -> group.accept(delivery));
    }
}
