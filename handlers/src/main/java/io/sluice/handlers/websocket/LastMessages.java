package io.sluice.handlers.websocket;

import io.sluice.handlers.SharedMessage;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The last message of each topic, within a budget: what was published longest ago is forgotten first. */
final class LastMessages {
    private final Map<String, SharedMessage> messages = new LinkedHashMap<>();
    private long budget;
    private long bytes;

    LastMessages(long budget) {
        this.budget = budget;
    }

    /** Keeps a message in place of the topic's one before; one that is larger than the budget, not at all. */
    synchronized void put(String topic, SharedMessage message) {
        SharedMessage previous = messages.remove(topic);
        if (previous != null) {
            forget(topic, previous);
        }
        long cost = cost(topic, message);
        if (cost > budget) {
            return;
        }
        messages.put(topic, message.retain());
        bytes += cost;
        forgetDownTo(budget);
    }

    /** Changes the budget, and forgets what is beyond it: with 0 all, and none is kept from here on. */
    synchronized void limit(long newBudget) {
        budget = newBudget;
        forgetDownTo(newBudget);
    }

    private void forgetDownTo(long limit) {
        Iterator<Map.Entry<String, SharedMessage>> longestAgo = messages.entrySet().iterator();
        while (bytes > limit) {
            Map.Entry<String, SharedMessage> entry = longestAgo.next();
            longestAgo.remove();
            forget(entry.getKey(), entry.getValue());
        }
    }

    /** The topic's last message, owned by the caller; or null. */
    synchronized SharedMessage get(String topic) {
        SharedMessage message = messages.get(topic);
        return message == null ? null : message.retain();
    }

    synchronized long bytes() {
        return bytes;
    }

    private void forget(String topic, SharedMessage message) {
        bytes -= cost(topic, message);
        message.release();
    }

    private static long cost(String topic, SharedMessage message) {
        return Delivery.cost(message) + 2L * topic.length();
    }
}
