package io.sluice.handlers.topic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A topic's subscribers on one event loop, and the deliveries to them. Subscribers join and leave on the loop
 * and under the topic's lock; all else is confined to the loop.
 *
 * <p>A message is sent from the last subscriber to the first. A new subscriber is added after the current
 * index; one that leaves is replaced by the last. So no subscriber that has yet to get the message is moved
 * after the index, and the messages' numbers prevent that one gets it twice.
 */
final class LoopSubscribers implements FanOut.Work {
    /**
     * The largest number of sends that wait for a loop: about a second of its work, unless it compresses a
     * message for each subscriber.
     */
    private static final int MAX_WAITING_SENDS = 128 * 1024;

    private final FanOut fanOut;
    private final List<Subscriber> subscribers = new ArrayList<>(1);
    private final ArrayDeque<Delivery> deliveries = new ArrayDeque<>(1);
    private final AtomicInteger waiting = new AtomicInteger();
    /** The delivery in progress, and the number of subscribers that it has not reached. */
    private @Nullable Delivery current;
    private int ahead;

    LoopSubscribers(FanOut fanOut) {
        this.fanOut = fanOut;
    }

    FanOut fanOut() {
        return fanOut;
    }

    void add(Subscriber subscriber) {
        subscriber.index = subscribers.size();
        subscribers.add(subscriber);
    }

    void remove(Subscriber subscriber) {
        Subscriber last = subscribers.removeLast();
        if (last != subscriber) {
            subscribers.set(subscriber.index, last);
            last.index = subscriber.index;
        }
        ahead = Math.min(ahead, subscribers.size());
    }

    /** Checks all subscribers that are here, in turns with the loop's other work. Any thread. */
    void check(Consumer<Subscriber> check) {
        fanOut.add(() -> new Check(check));
    }

    /**
     * A walk from the last subscriber to the first: one that leaves is replaced by the last, which has been
     * checked, and those that come are checked then.
     */
    private final class Check implements FanOut.Work {
        private final Consumer<Subscriber> check;
        private int unchecked = subscribers.size();

        Check(Consumer<Subscriber> check) {
            this.check = check;
        }

        @Override
        public boolean hasMore() {
            return unchecked > 0;
        }

        @Override
        public void send(long begunNanos) {
            while (unchecked > 0 && !FanOut.isOver(begunNanos)) {
                unchecked = Math.min(unchecked, subscribers.size()) - 1;
                if (unchecked >= 0) {
                    check.accept(subscribers.get(unchecked));
                }
            }
        }
    }

    boolean isEmpty() {
        return subscribers.isEmpty();
    }

    /** Returns whether too many sends wait. Under the topic's lock. */
    boolean isBehind() {
        return (long) waiting.get() * subscribers.size() > MAX_WAITING_SENDS;
    }

    /** Passes a message to the loop. Under the topic's lock, so that messages keep their order. */
    void accept(Delivery delivery) {
        waiting.incrementAndGet();
        fanOut.accept(this, delivery);
    }

    /** Queues a delivery, on the loop; returns whether it is the only one. */
    boolean enqueue(Delivery delivery) {
        if (subscribers.isEmpty()) {
            done(delivery);
            return false;
        }
        boolean idle = !hasMore();
        deliveries.add(delivery);
        return idle;
    }

    @Override
    public boolean hasMore() {
        return current != null || !deliveries.isEmpty();
    }

    @Override
    public void send(long begunNanos) {
        boolean over = false;
        while (hasMore() && !over) {
            Delivery delivery = current;
            if (delivery == null) {
                delivery = deliveries.remove();
                current = delivery;
                ahead = subscribers.size();
            }
            if (ahead > 0) {
                deliver(delivery, subscribers.get(--ahead));
            }
            if (ahead == 0 && current == delivery) {
                current = null;
                done(delivery);
            }
            over = FanOut.isOver(begunNanos);
        }
    }

    private static void deliver(Delivery delivery, Subscriber subscriber) {
        if (subscriber.seen < delivery.number()) {
            subscriber.seen = delivery.number();
            deliver(delivery.message(), subscriber);
        }
    }

    /** Delivers a message; ends the subscriber if that fails. */
    static void deliver(TopicMessage message, Subscriber subscriber) {
        try {
            subscriber.deliver(message);
        } catch (Throwable e) {
            subscriber.fail(e); // the others get theirs
        }
    }

    /** Drops all deliveries, since no subscriber is left. */
    void abandon() {
        Delivery begun = current;
        current = null;
        if (begun != null) {
            done(begun);
        }
        for (Delivery delivery = deliveries.poll(); delivery != null; delivery = deliveries.poll()) {
            done(delivery);
        }
    }

    private void done(Delivery delivery) {
        waiting.decrementAndGet();
        delivery.done();
    }
}
