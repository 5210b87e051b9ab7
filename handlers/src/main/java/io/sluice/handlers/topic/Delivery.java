package io.sluice.handlers.topic;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.SharedMessage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of a message to a topic's subscribers. Holds the message until the publisher and all event
 * loops are done with it. {@link #hold} and {@link #done} may be called on any thread.
 */
final class Delivery {
    /** The approximate memory of a message beside its payload: objects, and the head of a frame. */
    private static final int OVERHEAD = 256;

    private final SharedMessage message;
    private final @Nullable EventExecutor publisher;
    private final AtomicLong bytesUnderWay;
    private final AtomicInteger holders = new AtomicInteger(1);
    private long number;
    private int subscribers;
    private @Nullable Promise<Void> caughtUp;

    /**
     * Creates a delivery, which retains the message.
     *
     * @param publisher the event loop of a publisher that can wait for the subscribers; null if it cannot
     * @param bytesUnderWay the counter to which this delivery adds its bytes until it is done
     */
    Delivery(SharedMessage message, @Nullable EventExecutor publisher, AtomicLong bytesUnderWay) {
        this.message = message.retain();
        this.publisher = publisher;
        this.bytesUnderWay = bytesUnderWay;
        bytesUnderWay.addAndGet(bytes());
    }

    /**
     * Returns the memory of a message in bytes. Without the overhead, a budget would not limit small
     * messages.
     */
    static long cost(SharedMessage message) {
        return (long) message.size() + OVERHEAD;
    }

    /** Makes the publisher wait; if it cannot, rejects the message with 503. */
    void slowDown(String topic) {
        if (publisher == null) {
            throw HttpException.tryAgain("topic: %s (expected: fewer or smaller messages a second)"
                    .formatted(topic), null);
        }
        caughtUp = publisher.newPromise();
    }

    /** Sets the message's number in the topic's order. */
    void number(long place, int receivers) {
        number = place;
        subscribers = receivers;
    }

    /** Adds an event loop that will call {@link #done()}. */
    void hold() {
        holders.incrementAndGet();
    }

    /** Records that the publisher, or an event loop, does not need the message any more. */
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

    /** Returns a future that completes when the publisher may continue. */
    Future<Void> caughtUp(EventExecutor waiting) {
        return caughtUp == null ? waiting.newSucceededFuture(null) : caughtUp;
    }
}
