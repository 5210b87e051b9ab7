package io.sluice.handlers.websocket;

import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocket.DropReason;
import java.util.ArrayDeque;

/** What waits for one client until it reads on. Belongs on the socket's event loop. */
final class WaitingMessages {
    private final WebSocket socket;
    private final long budget;
    private final ArrayDeque<SharedMessage> messages = new ArrayDeque<>();
    private long bytes;

    WaitingMessages(WebSocket socket, long budget) {
        this.socket = socket;
        this.budget = budget;
    }

    /** Adds a message unless it goes over the budget. */
    boolean addIfItFits(SharedMessage message) {
        if (bytes + Delivery.cost(message) > budget) {
            return false;
        }
        add(message);
        return true;
    }

    /** Makes room for a message; one that is larger than all room is given up itself, and only that. */
    void addDroppingOldest(SharedMessage message) {
        if (Delivery.cost(message) > budget) {
            socket.dropped(DropReason.OLDEST);
            return;
        }
        while (!addIfItFits(message)) {
            drop(DropReason.OLDEST);
        }
    }

    /** Keeps only this message. */
    void replaceAll(SharedMessage message) {
        dropAll(DropReason.NOT_LATEST);
        add(message);
    }

    /** Sends as many as the client takes; says whether those were all. */
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
