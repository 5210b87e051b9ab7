package io.sluice.handlers.topic;

import io.sluice.handlers.SlowReaderMemory;
import io.sluice.handlers.WebSocket.DropReason;
import io.sluice.offload.ClientNetwork;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The messages that wait until a client reads again. Then they are sent in turns with the other work of the
 * event loop, as small ones can be many. Confined to the event loop of its subscriber.
 */
final class WaitingMessages implements FanOut.Work {
    /**
     * In bytes. Messages after so many wait without their encoded forms, which the budget does not count. The
     * first keeps them while memory is not scarce, as it may be large and wait for many clients.
     */
    private static final long SHARED = 64 << 10;

    /** In bytes. Those of a client are counted in so many at once, since event loops share the counter. */
    private static final long BLOCK = 4 << 10;

    private final PacedSubscriber subscriber;
    private final ClientNetwork client;
    private final long budget;
    private final SlowReaderMemory memory;
    private final ArrayDeque<TopicMessage> messages = new ArrayDeque<>();
    private long bytes;
    /** The bytes that count for the client, a multiple of {@link #BLOCK}. */
    private long counted;
    /** The position of the last dropped message before those that wait; null if none was dropped. */
    private @Nullable Position missed;
    /** Indicates that this has its turns. */
    private boolean sending;

    WaitingMessages(PacedSubscriber subscriber, long budget, SlowReaderMemory memory) {
        this.subscriber = subscriber;
        this.budget = budget;
        this.memory = memory;
        client = subscriber.client();
    }

    /** Adds a message, unless it exceeds the budget or the memory for those of slow readers. */
    boolean addIfItFits(TopicMessage message) {
        if (bytes + message.cost() > budget || !hasMemory(message, 0)) {
            return false;
        }
        add(message);
        return true;
    }

    /** Returns whether there is memory for a message when bytes of this client are dropped for it. */
    private boolean hasMemory(TopicMessage message, long dropped) {
        return memory.hasRoom(message.waiting() > 0 ? 0 : message.cost())
                || memory.hasRoomFor(client, message.cost(), dropped);
    }

    /**
     * Adds a message, and drops the oldest to make room; a message for which that makes no room is itself
     * dropped, and with it those before it if the client has positions, so that it is told once.
     */
    void addDroppingOldest(TopicMessage message) {
        boolean added = addIfItFits(message);
        while (!added && canMakeRoom(message)) {
            drop(DropReason.OLDEST);
            added = addIfItFits(message);
        }
        if (!added) {
            if (subscriber.hasPositions()) {
                dropAll(DropReason.OLDEST);
            }
            missed(message, DropReason.OLDEST);
        }
    }

    private boolean canMakeRoom(TopicMessage message) {
        TopicMessage oldest = messages.peek();
        return oldest != null && message.cost() <= budget && (hasMemory(message, counted)
                || oldest.waiting() == 1 && memory.hasRoom(message.cost() - oldest.cost()));
    }

    /** Replaces all messages by this one, unless it exceeds the memory for those of slow readers. */
    boolean replaceAll(TopicMessage message) {
        dropAll(DropReason.NOT_LATEST);
        boolean fits = hasMemory(message, 0);
        if (fits) {
            add(message);
        }
        return fits;
    }

    /** Begins to send while the client reads. */
    void send(FanOut turns) {
        if (!sending) {
            sending = true;
            turns.add(this);
        }
    }

    @Override
    public void send(long begunNanos) {
        boolean over = false;
        while (!isEmpty() && subscriber.isWritable() && !over) {
            sendNext();
            over = FanOut.isOver(begunNanos);
        }
        sending = !isEmpty() && subscriber.isWritable();
        if (isEmpty()) {
            subscriber.sent(this);
        }
    }

    @Override
    public boolean hasMore() {
        return sending;
    }

    private boolean isEmpty() {
        return missed == null && messages.isEmpty();
    }

    private void sendNext() {
        TopicMessage message = missed == null ? remove()
                : TopicMessage.notice(TopicMessage.Kind.RESYNC, missed);
        missed = null;
        try {
            subscriber.send(message);
        } catch (Throwable e) {
            subscriber.fail(e);
        } finally {
            message.release();
        }
    }

    /** Drops all messages, of which the client is not told. */
    void close(DropReason reason) {
        dropAll(reason);
        missed = null;
    }

    private void dropAll(DropReason reason) {
        while (!messages.isEmpty()) {
            drop(reason);
        }
    }

    private void add(TopicMessage message) {
        messages.add(bytes > SHARED || memory.isScarce() ? message.unencoded() : message.retain());
        if (message.beginWait()) {
            memory.countMessage(message.cost());
        }
        count(message.cost());
    }

    private void drop(DropReason reason) {
        TopicMessage message = remove();
        missed(message, reason);
        message.release();
    }

    private void missed(TopicMessage message, DropReason reason) {
        if (subscriber.hasPositions()) {
            missed = message.position();
        }
        if (!message.isNotice()) {
            subscriber.dropped(reason);
        }
    }

    private TopicMessage remove() {
        TopicMessage message = messages.remove();
        count(-message.cost());
        if (message.endWait()) {
            memory.countMessage(-message.cost());
        }
        return message;
    }

    private void count(long more) {
        bytes += more;
        long blocks = (bytes + BLOCK - 1) / BLOCK * BLOCK;
        if (blocks > counted || blocks < counted - BLOCK || blocks == 0) {
            memory.countFor(client, blocks - counted);
            counted = blocks;
        }
    }
}
