package io.sluice.loadtest.experiments.nodes;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What one client has of a topic. It drops a message at a position that it has already seen, as clients
 * do. Thread-safe.
 */
final class FollowedTopic {

    private static final long LATE = TimeUnit.SECONDS.toNanos(1);

    private final TopicLedger ledger;
    private final Deliveries deliveries;
    private final Set<String> messages = new HashSet<>();
    private String position = "";
    private long repeated;
    private long doubled;
    private long gaps;
    private long resyncs;
    private long lastResync = Long.MIN_VALUE;
    private long disconnections;

    /** Receives the arrivals of messages of all clients, on their threads. */
    interface Deliveries {

        /** A message has arrived; {@code late} if that was more than a second after it was sent first. */
        void arrived(boolean late);
    }

    FollowedTopic(TopicLedger ledger, Deliveries deliveries) {
        this.ledger = ledger;
        this.deliveries = deliveries;
    }

    String topic() {
        return ledger.topic();
    }

    /** The last position; empty before the first. */
    synchronized String position() {
        return position;
    }

    synchronized void disconnected() {
        disconnections++;
    }

    /**
     * Takes a message, a notice that messages up to a position may be missing, or a position alone.
     *
     * @param data null if it is no message
     */
    void take(@Nullable String id, @Nullable String data, boolean resync) {
        if (id != null && takes(id, data, resync) && data != null) {
            deliveries.arrived(ledger.age(data) > LATE);
        }
    }

    /** Returns whether it is new. */
    private synchronized boolean takes(String id, @Nullable String data, boolean resync) {
        if (resync) {
            resyncs++;
            lastResync = System.nanoTime();
        } else if (data != null) {
            long distance = distance(position, id);
            if (distance <= 0) {
                repeated++;
                return false;
            }
            gaps += distance - 1;
            if (!messages.add(data)) {
                doubled++;
            }
        }
        position = id;
        return true;
    }

    /**
     * The offsets from one position to another; if that has another epoch, 2, since at least one message
     * may be missing of which nothing told.
     */
    private static long distance(String from, String to) {
        if (from.isEmpty()) {
            return 1;
        }
        return epoch(from).equals(epoch(to)) ? offset(to) - offset(from) : 2;
    }

    private static String epoch(String position) {
        return position.substring(0, position.indexOf(':'));
    }

    private static long offset(String position) {
        return Long.parseLong(position.substring(position.indexOf(':') + 1));
    }

    /** Returns whether the client has all messages up to a position. */
    synchronized boolean isAt(String end) {
        return position.equals(end);
    }

    /**
     * The sum of what this client has, and what it does not have.
     *
     * @param end the position of the topic's last message
     */
    synchronized MessageTally tally(String end) {
        long missing = 0;
        long untold = 0;
        for (var message : ledger.confirmed()) {
            if (!messages.contains(message)) {
                missing++;
                untold += ledger.sentAt(message) > lastResync ? 1 : 0;
            }
        }
        long behind = position.equals(end) ? 0 : Math.max(1, distance(position, end));
        long lost = Math.max(untold, gaps + behind);
        return new MessageTally(ledger.confirmed().size(), messages.size(), resyncs,
                Math.max(0, missing - untold), repeated, doubled, lost, disconnections);
    }
}
