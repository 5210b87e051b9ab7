package io.sluice.handlers.topic;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.sluice.handlers.FairLimit;
import io.sluice.offload.ClientNetwork;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of a message to a topic's subscribers. Holds the message until the publisher and all event
 * loops are done with it. {@link #hold} and {@link #done} may be called on any thread.
 */
final class Delivery {
    private final TopicMessage message;
    private final @Nullable Promise<Void> caughtUp;
    private final FairLimit bytesUnderWay;
    private final @Nullable ClientNetwork client;
    /** The bytes of this delivery under way: more with each encoded form. */
    private final AtomicLong counted = new AtomicLong();
    private final AtomicInteger holders = new AtomicInteger(1);
    private long number;
    private int subscribers;

    /**
     * Creates a delivery.
     *
     * @param message owned by the delivery from here on
     * @param caughtUp is completed when all subscribers got the message; null if nobody waits for that
     * @param bytesUnderWay the limit to which this delivery adds its bytes until it is done
     * @param client the publisher; null if it is not known
     */
    Delivery(TopicMessage message, @Nullable Promise<Void> caughtUp, FairLimit bytesUnderWay,
             @Nullable ClientNetwork client) {
        this.message = message;
        this.caughtUp = caughtUp;
        this.bytesUnderWay = bytesUnderWay;
        this.client = client;
        count();
    }

    private void count() {
        long bytes = message.memory();
        bytesUnderWay.add(client, Math.max(0, bytes - counted.getAndAccumulate(bytes, Math::max)));
    }

    /** Sets the message's place in the order of deliveries. */
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
        count();
        if (holders.decrementAndGet() == 0) {
            message.release();
            bytesUnderWay.add(client, -counted.get());
            if (caughtUp != null) {
                caughtUp.setSuccess(null);
            }
        }
    }

    TopicMessage message() {
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
