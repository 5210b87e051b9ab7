package io.sluice.handlers.topic;

import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.sluice.handlers.MemoryShare;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A topic on a bus, as this gateway follows it. Guarded by the topic's lock.
 *
 * <p>Messages are delivered in the order of their positions. If one is missing, those behind it wait, within
 * a limit, until the bus's history is read.
 */
final class BusTopic extends Topic {
    /** The most messages, and their bytes, that wait for those before them. */
    private static final int MAX_WAITING = 1000;
    private static final long MAX_WAITING_BYTES = 8 << 20;
    /** The most bytes that wait in all topics of a set, such as while Redis comes back. */
    static final long MAX_WAITING_BYTES_OF_SET = MemoryShare.UNDER_WAY;
    private static final int FIRST_PURGE = 64;

    private final ArrayDeque<TopicMessage> waiting = new ArrayDeque<>();
    private final List<Promise<?>> awaiting = new ArrayList<>();
    private final AtomicLong waitingBytesOfSet;
    /** The number of promises at which those that are done are removed. */
    private int purgeAt = FIRST_PURGE;
    private State state = State.SUBSCRIBING;
    private long waitingBytes;
    private boolean overflown;
    /** The number of the last read of the history, and of the messages that waited when it began. */
    private long reads;
    private int waitingBefore;
    /** Ends the subscription unless subscribers come; null if there are some. */
    private @Nullable Future<?> linger;

    enum State {
        /** Messages do not come yet, or not any more. */
        SUBSCRIBING,
        /** The history is being read, and messages that come wait. */
        READING,
        /** Messages are delivered when they come. */
        LIVE
    }

    /** Creates a topic that counts the bytes of its waiting messages in those of its set. */
    BusTopic(AtomicLong waitingBytesOfSet) {
        super(null);
        this.waitingBytesOfSet = waitingBytesOfSet;
    }

    @Override
    void join(Subscriber subscriber, FanOut fanOut) {
        super.join(subscriber, fanOut);
        linger(null);
    }

    State state() {
        return state;
    }

    /** Begins to read the history; returns the number of the read. */
    long read() {
        state = State.READING;
        waitingBefore = waiting.size();
        return ++reads;
    }

    /** Returns whether this is the read in progress. */
    boolean isReading(long number) {
        return state == State.READING && reads == number;
    }

    /** Ends a read: messages are delivered from here on. */
    void live() {
        state = State.LIVE;
        awaiting.forEach(one -> one.trySuccess(null));
        awaiting.clear();
    }

    /** Stops delivering messages until the topic is subscribed again. */
    void lost(Throwable cause) {
        state = State.SUBSCRIBING;
        dropWaiting();
        overflown = false;
        awaiting.forEach(one -> one.tryFailure(cause));
        awaiting.clear();
    }

    /** Completes a promise when the topic is {@link State#LIVE}, or fails it when the bus is lost. */
    void await(Promise<?> promise) {
        if (awaiting.size() >= purgeAt) {
            awaiting.removeIf(Future::isDone);
            purgeAt = Math.max(FIRST_PURGE, 2 * awaiting.size());
        }
        awaiting.add(promise);
    }

    /** Returns whether a promise is waiting. */
    boolean isAwaited() {
        awaiting.removeIf(Future::isDone);
        return !awaiting.isEmpty();
    }

    /**
     * Adds a message that waits for those before it. Beyond a limit, all of the topic are dropped, and read
     * later.
     */
    void addWaiting(TopicMessage message) {
        waiting.add(message.retain());
        waitingBytes += message.cost();
        long ofSet = waitingBytesOfSet.addAndGet(message.cost());
        if (waiting.size() > MAX_WAITING || waitingBytes > MAX_WAITING_BYTES
                || ofSet > MAX_WAITING_BYTES_OF_SET) {
            dropWaiting();
            overflown = true;
        }
    }

    /**
     * Returns the messages that wait, owned by the caller, without those that came before the last read and
     * are of another epoch than that has told: theirs has ended.
     */
    List<TopicMessage> takeWaiting() {
        Position now = head();
        var taken = new ArrayList<TopicMessage>(waiting.size());
        for (TopicMessage message : waiting) {
            if (waitingBefore-- > 0 && now != null
                    && !message.position().isOf(now.epoch())) {
                message.release();
            } else {
                taken.add(message);
            }
        }
        noneWaits();
        return taken;
    }

    /**
     * Returns the position from which on messages can be delivered: that before those that wait.
     *
     * @param end the position of the last message
     */
    Position begin(Position end) {
        TopicMessage first = waiting.peek();
        return first != null && first.position().before().isCoveredBy(end) ? first.position().before() : end;
    }

    /** Returns whether messages that waited were dropped since the last call. */
    boolean takeOverflow() {
        boolean was = overflown;
        overflown = false;
        return was;
    }

    private void dropWaiting() {
        waiting.forEach(TopicMessage::release);
        noneWaits();
    }

    private void noneWaits() {
        waiting.clear();
        waitingBytesOfSet.addAndGet(-waitingBytes);
        waitingBytes = 0;
    }

    /** Sets the timer that will end the subscription; null for none. */
    void linger(@Nullable Future<?> next) {
        if (linger != null) {
            linger.cancel(false);
        }
        linger = next;
    }
}
