package io.sluice.handlers.topic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The newest messages of each topic, within a number for each topic, an age, a budget of bytes for all
 * topics, and that of all sets. Beyond a budget, the topic with the most bytes drops its oldest message if it
 * has more than its part; otherwise the oldest message of all topics is dropped. Messages of a topic have
 * consecutive positions. Thread-safe.
 *
 * <p>Only payloads are kept. Encoded forms take several times their memory, and are made anew for whoever
 * gets a message from here.
 */
final class KeptMessages {
    /** The old messages to drop at a time: the lock is on the way of event loops. */
    private static final int SOME = 64;
    /** The approximate memory of an entry beside its message and name. */
    private static final int OVERHEAD = 256;
    /** The divisor of the budget: the part of it beyond which a topic gives way to the others. */
    private static final int PART = 4;

    private final KeptMemory memory;
    private final LongSupplier nanoTime;
    private final Runnable onForgotten;
    private final Map<String, KeptTopic> topics = new HashMap<>();
    /** All messages in the order of their publication. */
    private final LinkedHashSet<Kept> all = new LinkedHashSet<>();
    /** The few topics with more than their part, in several messages: the newest message is spared. */
    private final TreeSet<KeptTopic> large = new TreeSet<>(
            Comparator.<KeptTopic>comparingLong(topic -> topic.bytes).thenComparing(topic -> topic.name));
    private Limits limits;
    /** Changed under the lock. */
    private volatile long bytes;
    /** Indicates whether another thread will drop further old messages. */
    private boolean dropping;

    /**
     * Limits of the messages that are kept.
     *
     * @param messages the number for each topic; 0 keeps none
     * @param age the time for which a message is kept
     * @param bytes the memory for all topics
     */
    record Limits(int messages, Duration age, long bytes) {
        static final Limits NONE = new Limits(0, Duration.ZERO, 0);

        /** Returns the limits of the last message of each topic, which is kept at any age. */
        static Limits ofLast(long bytes) {
            return bytes == 0 ? NONE : new Limits(1, Duration.ofNanos(Long.MAX_VALUE), bytes);
        }
    }

    /** A message that is kept. Not a record: two are never equal. */
    private static final class Kept {
        private final KeptTopic topic;
        private final TopicMessage message;
        private final long nanos;

        private Kept(KeptTopic topic, TopicMessage message, long nanos) {
            this.topic = topic;
            this.message = message;
            this.nanos = nanos;
        }

        private long cost() {
            return message.cost() + OVERHEAD + 2L * topic.name.length();
        }
    }

    /** The messages of a topic, of which there is one at least, from the oldest on. */
    private static final class KeptTopic {
        private final String name;
        private final List<Kept> messages = new ArrayList<>(1);
        /** The index of the oldest; those before it were removed. */
        private int from;
        private long bytes;

        private KeptTopic(String name) {
            this.name = name;
        }

        private int size() {
            return messages.size() - from;
        }

        private Kept get(int index) {
            return messages.get(from + index);
        }

        private void removeOldest() {
            messages.set(from++, messages.getLast()); // so that the removed one is not held
            if (from > messages.size() / 2) {
                messages.subList(0, from).clear();
                from = 0;
            }
        }
    }

    /**
     * Keeps messages.
     *
     * @param memory is shared with other sets
     * @param onForgotten is called when nothing is left of a topic, before others can see that
     */
    KeptMessages(Limits limits, KeptMemory memory, LongSupplier nanoTime, Runnable onForgotten) {
        this.memory = memory;
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.onForgotten = onForgotten;
    }

    /**
     * Keeps a message, which stays the caller's. If it does not follow the topic's last one, it replaces all
     * of them; if it is larger than the budget, all are dropped.
     */
    void put(String name, TopicMessage message) {
        keep(name, message);
        memory.trim();
    }

    private synchronized void keep(String name, TopicMessage message) {
        KeptTopic topic = topics.get(name);
        if (topic != null && !message.position().follows(topic.get(topic.size() - 1).message.position())) {
            forget(name);
        }
        var kept = new Kept(topics.getOrDefault(name, new KeptTopic(name)), message.unencoded(),
                nanoTime.getAsLong());
        if (limits.messages() == 0 || kept.cost() > Math.min(limits.bytes(), memory.limit())) {
            kept.message.release();
            forget(name);
            return;
        }
        topics.put(name, kept.topic);
        kept.topic.messages.add(kept);
        all.add(kept);
        count(kept.topic, kept.cost());
        dropExcess(kept.topic);
    }

    private synchronized void count(KeptTopic topic, long cost) {
        large.remove(topic);
        topic.bytes += cost;
        addIfLarge(topic);
        bytes += cost;
        memory.count(this, cost);
    }

    private void addIfLarge(KeptTopic topic) {
        if (topic.size() > 1 && topic.bytes > Math.min(limits.bytes(), memory.limit()) / PART) {
            large.add(topic);
        }
    }

    private void dropExcess(KeptTopic topic) {
        while (topic.size() > limits.messages()) {
            drop(topic.get(0));
        }
        while (bytes > limits.bytes()) {
            drop(first());
        }
        dropOld();
    }

    /** Returns the message to drop first. */
    private Kept first() {
        return large.isEmpty() ? all.getFirst() : large.last().get(0);
    }

    /** Drops a message; returns whether there was one. */
    synchronized boolean dropFirst() {
        if (all.isEmpty()) {
            return false;
        }
        drop(first());
        return true;
    }

    /** Drops some old messages; another thread drops the next ones, and others get the lock in between. */
    synchronized void dropOld() {
        if (!dropping && dropSome()) {
            try {
                Thread.startVirtualThread(this::goOnDropping); // waits for the lock
                dropping = true;
            } catch (Throwable _) {
                // No memory is left for a thread: the next caller drops some more.
            }
        }
    }

    private synchronized void goOnDropping() {
        dropping = false;
        dropOld();
    }

    /** Drops some old messages; returns whether there are more. */
    private boolean dropSome() {
        for (int i = 0; i < SOME; i++) {
            if (all.isEmpty() || !isOld(all.getFirst())) {
                return false;
            }
            drop(all.getFirst());
        }
        return !all.isEmpty() && isOld(all.getFirst());
    }

    private boolean isOld(Kept kept) {
        return nanoTime.getAsLong() - kept.nanos > limits.age().toNanos();
    }

    /** Drops a message, which is the oldest of its topic. */
    private void drop(Kept kept) {
        kept.topic.removeOldest();
        if (kept.topic.size() == 0) {
            topics.remove(kept.topic.name);
            onForgotten.run();
        }
        all.remove(kept);
        count(kept.topic, -kept.cost());
        kept.message.release();
    }

    /** Drops the messages of a topic. */
    synchronized void forget(String name) {
        KeptTopic topic = topics.get(name);
        while (topic != null && topic.size() > 0) {
            drop(topic.get(0));
        }
    }

    /** Changes the limits, and drops messages beyond them. */
    synchronized void limit(Limits next) {
        limits = next;
        large.clear();
        topics.values().forEach(this::addIfLarge);
        List.copyOf(topics.values()).forEach(this::dropExcess);
    }

    /** Returns the topic's last message, owned by the caller; null if there is none. */
    synchronized @Nullable TopicMessage last(String name) {
        dropOld();
        KeptTopic topic = topics.get(name);
        Kept last = topic == null ? null : topic.get(topic.size() - 1);
        return last == null || isOld(last) ? null : last.message.unencoded();
    }

    /** Returns the position of the topic's last message, also of an old one; null if there is none. */
    synchronized @Nullable Position head(String name) {
        dropOld();
        KeptTopic topic = topics.get(name);
        return topic == null ? null : topic.get(topic.size() - 1).message.position();
    }

    /**
     * Returns the first messages after a position, owned by the caller; none if it is that of the last one.
     * Returns null if some of them are not kept, or the position is not known.
     */
    synchronized @Nullable List<TopicMessage> after(String name, Position position, int most) {
        dropOld();
        KeptTopic topic = topics.get(name);
        if (topic == null) {
            return null;
        }
        Position first = topic.get(0).message.position();
        long index = position.offset() - first.offset() + 1;
        if (first.epoch() != position.epoch() || index < 0 || index > topic.size()
                || index < topic.size() && isOld(topic.get((int) index))) {
            return null;
        }
        var messages = new ArrayList<TopicMessage>();
        for (int i = (int) index; i < topic.size() && messages.size() < most; i++) {
            messages.add(topic.get(i).message.unencoded());
        }
        return messages;
    }

    long bytes() {
        return bytes;
    }
}
