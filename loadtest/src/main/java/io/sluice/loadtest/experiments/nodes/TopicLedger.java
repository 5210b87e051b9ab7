package io.sluice.loadtest.experiments.nodes;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The messages of a topic, each with a text of its own: when each was sent first, and which are published for
 * certain. Thread-safe.
 */
final class TopicLedger {

    private final String topic;
    private final Map<String, Long> sent = new ConcurrentHashMap<>();
    private final Set<String> confirmed = ConcurrentHashMap.newKeySet();

    TopicLedger(String topic) {
        this.topic = topic;
    }

    String topic() {
        return topic;
    }

    /** Notes that a message is about to be sent for the first time. */
    void sending(String message) {
        sent.put(message, System.nanoTime());
    }

    /** Notes that a message was answered with 200, or that its transaction is committed. */
    void confirmed(String message) {
        confirmed.add(message);
    }

    /** The time since a message was sent first, in ns. */
    long age(String message) {
        var since = sent.get(message);
        return since == null ? 0 : System.nanoTime() - since;
    }

    /** The time at which a confirmed message was sent first, by {@link System#nanoTime}. */
    long sentAt(String message) {
        return sent.getOrDefault(message, Long.MAX_VALUE);
    }

    /** The messages that are published for certain. */
    Set<String> confirmed() {
        return confirmed;
    }
}
