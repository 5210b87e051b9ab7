package io.sluice.handlers.topic;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way of a subscriber from the last position that it knows to the present: it gets kept messages, as fast
 * as it takes them, and joins the others when there is none left. So a slow subscriber holds none of them.
 * Confined to the subscriber's event loop.
 */
final class CatchUp implements FanOut.Work {
    private final Topics topics;
    private final String topic;
    private final Subscriber subscriber;
    private final FanOut fanOut;
    /** The position of the subscriber; null if it is not known. */
    private @Nullable Position at;
    /** Whether it waits for {@link #resume()}. */
    private boolean parked;

    CatchUp(Topics topics, String topic, Subscriber subscriber, FanOut fanOut, @Nullable Position at) {
        this.topics = topics;
        this.topic = topic;
        this.subscriber = subscriber;
        this.fanOut = fanOut;
        this.at = at;
    }

    /** Sends the first messages at once, and goes on in turns with the other work of the loop. */
    void begin() {
        send(FanOut.SLICE);
        if (hasMore()) {
            fanOut.add(this);
        }
    }

    /** Goes on if it had to wait. */
    void resume() {
        if (parked) {
            parked = false;
            fanOut.add(this);
        }
    }

    @Override
    public int send(int sends) {
        int left = sends;
        while (left > 0 && hasMore()) {
            if (subscriber.isWritable()) {
                left -= sendNext();
            } else {
                parked = true;
            }
        }
        return left;
    }

    @Override
    public boolean hasMore() {
        return isActive() && !parked;
    }

    private boolean isActive() {
        return subscriber.catchUp == this;
    }

    /** Sends the next messages, or joins the other subscribers; returns the cost in sends. */
    private int sendNext() {
        List<TopicMessage> messages = topics.next(topic, at, subscriber, fanOut);
        int cost = 1;
        try {
            for (TopicMessage message : messages) {
                if (!subscriber.isSubscribed() || isActive() && !subscriber.isWritable()) {
                    break; // it has ended, or asks for the rest again
                }
                cost += LoopSubscribers.deliver(message, subscriber);
                at = message.position();
                if (!message.isNotice()) {
                    topics.recovered();
                }
            }
        } finally {
            messages.forEach(TopicMessage::release);
        }
        return cost;
    }
}
