package io.sluice.handlers.websocket;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.SharedMessage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A message on its way to a topic's subscribers. It holds the message until the publisher and each event
 * loop are done with it.
 */
final class Delivery {
    /** What a message holds beside its payload: some objects, and the head of a frame. */
    private static final int OVERHEAD = 256;

    private final SharedMessage message;
    private final EventExecutor publisher;
    private final AtomicLong bytesUnderWay;
    private final AtomicInteger holders = new AtomicInteger(1);
    private long number;
    private int subscribers;
    private Promise<Void> caughtUp;

    /**
     * A message that is being published.
     *
     * @param publisher who waits for the subscribers; null where nobody can
     * @param bytesUnderWay where this delivery is counted while it lasts
     */
    Delivery(SharedMessage message, EventExecutor publisher, AtomicLong bytesUnderWay) {
        this.message = message.retain();
        this.publisher = publisher;
        this.bytesUnderWay = bytesUnderWay;
        bytesUnderWay.addAndGet(bytes());
    }

    /** What a message costs in memory. Without an overhead, a byte budget would not bound small ones. */
    static long cost(SharedMessage message) {
        return (long) message.size() + OVERHEAD;
    }

    /** Slows the publisher down: it has to wait, or is refused. */
    void slowDown(String topic) {
        if (publisher == null) {
            throw HttpException.tryAgain("topic: %s (expected: fewer or smaller messages a second)"
                    .formatted(topic), null);
        }
        caughtUp = publisher.newPromise();
    }

    /** Gives the message its place in the topic's order. */
    void number(long place, int receivers) {
        number = place;
        subscribers = receivers;
    }

    /** One more event loop has to be {@link #done()}. */
    void hold() {
        holders.incrementAndGet();
    }

    /** The publisher, or an event loop, needs the message no more. */
    void done() {
        if (holders.decrementAndGet() == 0) {
            long bytes = bytes();
            message.release();
            bytesUnderWay.addAndGet(-bytes);
            if (caughtUp != null) {
                caughtUp.setSuccess(null);
            }
        }
    }

    long bytes() {
        return cost(message);
    }

    SharedMessage message() {
        return message;
    }

    long number() {
        return number;
    }

    int subscribers() {
        return subscribers;
    }

    /** When the publisher may go on. */
    Future<Void> caughtUp() {
        return caughtUp == null ? publisher.newSucceededFuture(null) : caughtUp;
    }
}
