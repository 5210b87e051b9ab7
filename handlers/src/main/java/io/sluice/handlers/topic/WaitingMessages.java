package io.sluice.handlers.topic;

import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.WebSocket.DropReason;
import java.util.ArrayDeque;

/** The messages that wait until a client reads again. Confined to the event loop of its subscriber. */
final class WaitingMessages {
    private final PacedSubscriber subscriber;
    private final long budget;
    private final ArrayDeque<SharedMessage> messages = new ArrayDeque<>();
    private long bytes;

    WaitingMessages(PacedSubscriber subscriber, long budget) {
        this.subscriber = subscriber;
        this.budget = budget;
    }

    /** Adds a message, unless it exceeds the budget. */
    boolean addIfItFits(SharedMessage message) {
        if (bytes + Delivery.cost(message) > budget) {
            return false;
        }
        add(message);
        return true;
    }

    /**
     * Adds a message, and drops the oldest to make room; a message larger than the budget is itself dropped.
     */
    void addDroppingOldest(SharedMessage message) {
        if (Delivery.cost(message) > budget) {
            subscriber.dropped(DropReason.OLDEST);
            return;
        }
        while (!addIfItFits(message)) {
            drop(DropReason.OLDEST);
        }
    }

    /** Replaces all messages by this one. */
    void replaceAll(SharedMessage message) {
        dropAll(DropReason.NOT_LATEST);
        add(message);
    }

    /** Sends while the client reads; returns whether no message is left. */
    boolean send() {
        while (subscriber.isWritable() && !messages.isEmpty()) {
            SharedMessage message = remove();
            try {
                subscriber.send(message);
            } finally {
                message.release();
            }
        }
        return messages.isEmpty();
    }

    void dropAll(DropReason reason) {
        while (!messages.isEmpty()) {
            drop(reason);
        }
    }

    private void add(SharedMessage message) {
        messages.add(message.retain());
        bytes += Delivery.cost(message);
    }

    private void drop(DropReason reason) {
        remove().release();
        subscriber.dropped(reason);
    }

    private SharedMessage remove() {
        SharedMessage message = messages.remove();
        bytes -= Delivery.cost(message);
        return message;
    }
}
