package io.sluice.handlers.websocket;

import io.sluice.handlers.SharedMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A topic's subscribers on one event loop, and what is on its way to them. They join and leave on the loop
 * and under the topic's lock; the rest belongs on the loop.
 *
 * <p>A message goes to them from the last to the first. Who joins is put behind the place that has been
 * reached; who leaves is replaced by the last. So nobody who has not got it gets behind that place, and the
 * numbers keep it from those who have.
 */
final class LoopSubscribers {
    /** Sends that may wait for a loop's turn: about a second's work for it. */
    private static final int MAX_WAITING_SENDS = 128 * 1024;
    /** Sending so many bytes takes about as long again as to send at all. */
    private static final int COSTLY_SIZE = 8 * 1024;
    /** Encoding so many bytes does, as they may be compressed. */
    private static final int COSTLY_TO_ENCODE = 256;

    private final FanOut fanOut;
    private final List<Subscriber> subscribers = new ArrayList<>(1);
    private final ArrayDeque<Delivery> deliveries = new ArrayDeque<>(1);
    private final AtomicInteger waiting = new AtomicInteger();
    /** The delivery that has begun, and how many subscribers it has not come to. */
    private Delivery current;
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

    boolean isEmpty() {
        return subscribers.isEmpty();
    }

    /** Whether too much is waiting here. Under the topic's lock. */
    boolean isBehind() {
        return (long) waiting.get() * subscribers.size() > MAX_WAITING_SENDS;
    }

    /** Hands a message to the loop. Under the topic's lock, which puts it behind those before it. */
    void accept(Delivery delivery) {
        waiting.incrementAndGet();
        fanOut.accept(this, delivery);
    }

    /** Queues a delivery that has come to the loop; says whether it is the only one. */
    boolean enqueue(Delivery delivery) {
        if (subscribers.isEmpty()) {
            done(delivery);
            return false;
        }
        boolean idle = !hasMore();
        deliveries.add(delivery);
        return idle;
    }

    boolean hasMore() {
        return current != null || !deliveries.isEmpty();
    }

    /** Goes on sending until nothing is left or so many sends are made; says how many are left to make. */
    int send(int sends) {
        int left = sends;
        while (left > 0 && hasMore()) {
            if (current == null) {
                current = deliveries.poll();
                ahead = subscribers.size();
            }
            left -= sendCurrent(left);
        }
        return left;
    }

    private int sendCurrent(int sends) {
        Delivery delivery = current;
        int cost = 1 + delivery.message().size() / COSTLY_SIZE;
        int made = 0;
        while (made < sends && ahead > 0) {
            Subscriber subscriber = subscribers.get(--ahead);
            if (subscriber.seen < delivery.number()) {
                subscriber.seen = delivery.number();
                made += cost + deliver(delivery.message(), subscriber);
            }
        }
        if (ahead == 0 && current == delivery) {
            current = null;
            done(delivery);
        }
        return made;
    }

    /** Says what it has cost beyond sending, in sends. */
    private static int deliver(SharedMessage message, Subscriber subscriber) {
        int encodings = message.encodings();
        try {
            subscriber.deliver(message);
        } catch (Throwable e) {
            subscriber.fail(e); // it has missed a message, and should know; the others get theirs
        }
        return message.encodings() == encodings ? 0 : message.size() / COSTLY_TO_ENCODE;
    }

    /** Gives up what is on its way: nobody is left to get it. */
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
