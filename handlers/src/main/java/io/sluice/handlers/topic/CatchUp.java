package io.sluice.handlers.topic;

import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way of a subscriber from the last position that it knows to the present: it gets kept messages, as fast
 * as it takes them, and joins the others when there is none left. So a slow subscriber holds none of them.
 * Confined to the subscriber's event loop.
 */
final class CatchUp implements FanOut.Work {
    private final TopicTable table;
    private final Source source;
    private final String topic;
    private final Subscriber subscriber;
    private final EventExecutor loop;
    private final boolean present;
    private final Runnable check;
    /** The position of the subscriber; null if it is not known. */
    private @Nullable Position at;
    /** Indicates whether the catch-up waits for {@link #resume()}. */
    private boolean parked;

    /**
     * Creates the catch-up of a new subscriber.
     *
     * @param after the position of the last message that the subscriber has; empty to start at the present
     * @param check ends the subscriber if it has no right to the topic any more
     */
    CatchUp(TopicTable table, Source source, String topic, Subscriber subscriber, EventExecutor loop,
            String after, Runnable check) {
        this.table = table;
        this.source = source;
        this.topic = topic;
        this.subscriber = subscriber;
        this.loop = loop;
        this.check = check;
        present = after.isEmpty();
        at = Position.parse(after);
    }

    String topic() {
        return topic;
    }

    Subscriber subscriber() {
        return subscriber;
    }

    EventExecutor loop() {
        return loop;
    }

    FanOut fanOut() {
        return table.fanOut(loop);
    }

    /** Returns whether it only wants to know from which position on it gets messages. */
    boolean present() {
        return present;
    }

    @Nullable Position at() {
        return at;
    }

    /** Sends the first messages at once, and goes on in turns with the other work of the loop. */
    void begin() {
        send(FanOut.SLICE);
        if (hasMore()) {
            fanOut().add(this);
        }
    }

    /** Goes on if it had to wait. */
    void resume() {
        if (parked && isActive()) {
            parked = false;
            fanOut().add(this);
        }
    }

    @Override
    public int send(int sends) {
        check.run(); // a reload checks those that have joined the others
        int left = sends;
        while (left > 0 && hasMore()) {
            if (subscriber.isWritable()) {
                List<TopicMessage> messages = source.next(this);
                parked = messages.isEmpty();
                left -= deliver(messages);
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

    /**
     * Goes on with messages that it has waited for. On the loop.
     *
     * @param messages owned by this object from here on
     */
    void arrived(List<TopicMessage> messages) {
        check.run(); // a reload may have been meanwhile
        deliver(messages);
        resume();
    }

    /** Goes on without messages that are missing. On the loop. */
    void missed() {
        at = null;
        resume();
    }

    /** Delivers messages, which are released; returns the cost in sends. */
    private int deliver(List<TopicMessage> messages) {
        int cost = 1;
        try {
            for (TopicMessage message : messages) {
                if (!subscriber.isSubscribed() || isActive() && !subscriber.isWritable()) {
                    break; // it has ended, or asks for the rest again
                }
                if (isActive() && !message.isNotice()) {
                    table.recovered.increment();
                }
                cost += LoopSubscribers.deliver(message, subscriber);
                at = message.position();
            }
        } finally {
            messages.forEach(TopicMessage::release);
        }
        return cost;
    }
}
