package io.sluice.handlers.websocket;

import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocket.DropReason;
import java.util.ArrayDeque;

/** The messages that wait until a client reads again. Confined to the socket's event loop. */
final class WaitingMessages {
    private final WebSocket socket;
    private final long budget;
    private final ArrayDeque<SharedMessage> messages = new ArrayDeque<>();
    private long bytes;

    WaitingMessages(WebSocket socket, long budget) {
        this.socket = socket;
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
            socket.dropped(DropReason.OLDEST);
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

    /** Sends while the socket is writable; returns whether no message is left. */
    boolean send() {
        while (socket.isWritable() && !messages.isEmpty()) {
            SharedMessage message = remove();
            try {
                socket.send(message);
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
        socket.dropped(reason);
    }

    private SharedMessage remove() {
        SharedMessage message = messages.remove();
        bytes -= Delivery.cost(message);
        return message;
    }
}
