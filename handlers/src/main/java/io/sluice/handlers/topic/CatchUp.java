package io.sluice.handlers.topic;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
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
    /** The messages to deliver next, owned by this object. */
    private final ArrayDeque<TopicMessage> next = new ArrayDeque<>(1);
    /** Indicates whether the catch-up waits for {@link #resume()}. */
    private boolean parked;
    /** Indicates whether it waits for a read: it asks for nothing else meanwhile, and gets nothing twice. */
    private boolean reading;

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
        send(System.nanoTime());
        if (hasMore()) {
            fanOut().add(this);
        }
    }

    /** Goes on if it had to wait. */
    void resume() {
        if (parked && !reading && isActive()) {
            parked = false;
            fanOut().add(this);
        }
    }

    @Override
    public void send(long begunNanos) {
        if (isActive()) {
            check.run(); // a reload checks those that have joined the others
        }
        boolean over = false;
        while (hasMore() && !over) {
            if (next.isEmpty()) {
                getNext();
            } else {
                deliverNext();
            }
            over = isActive() && FanOut.isOver(begunNanos); // behind others, it would get later ones first
        }
    }

    @Override
    public boolean hasMore() {
        return !next.isEmpty() || isActive() && !parked;
    }

    private boolean isActive() {
        return subscriber.catchUp == this;
    }

    private void getNext() {
        if (subscriber.isWritable()) {
            next.addAll(source.next(this));
            parked = next.isEmpty();
        } else {
            parked = true;
        }
    }

    /** Delivers a message, unless the subscriber has ended, or gets the rest when it is writable again. */
    private void deliverNext() {
        if (!subscriber.isSubscribed() || isActive() && !subscriber.isWritable()) {
            drop();
            return;
        }
        TopicMessage message = next.remove();
        try {
            if (at != null && !message.isNotice() && message.position().isCoveredBy(at)) {
                return; // it came from the history and from the topic
            }
            at = message.position();
            if (isActive() && !message.isNotice()) {
                table.recovered.increment();
            }
            LoopSubscribers.deliver(message, subscriber);
        } finally {
            message.release();
        }
    }

    /** Drops the messages that it has not delivered. */
    void drop() {
        next.forEach(TopicMessage::release);
        next.clear();
    }

    /** Waits for a read, until {@link #onReadEnd()}. */
    void onReadStart() {
        reading = true;
    }

    void onReadEnd() {
        reading = false;
    }

    /**
     * Goes on with messages that it has waited for. On the loop.
     *
     * @param messages owned by this object from here on
     */
    void arrived(List<TopicMessage> messages) {
        next.addAll(messages);
        if (isActive()) {
            resume();
        } else {
            drop();
        }
    }

    /** Goes on without messages that are missing. On the loop. */
    void missed() {
        at = null;
        resume();
    }
}
