package io.sluice.handlers.topic;

import io.sluice.handlers.SharedMessage;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The last message of each topic, within a budget of bytes: the oldest is dropped first. Thread-safe. */
final class LastMessages {
    private final Map<String, SharedMessage> messages = new LinkedHashMap<>();
    private long budget;
    private long bytes;

    LastMessages(long budget) {
        this.budget = budget;
    }

    /** Retains a message in place of the topic's previous one, unless it is larger than the budget. */
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

    /** Changes the budget, and drops messages beyond it; with 0, no messages are kept. */
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

    /** Returns the topic's last message, owned by the caller; null if there is none. */
    synchronized @Nullable SharedMessage get(String topic) {
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
