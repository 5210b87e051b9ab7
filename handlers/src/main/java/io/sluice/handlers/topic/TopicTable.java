package io.sluice.handlers.topic;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import io.sluice.config.topic.TopicsConfig;
import io.sluice.handlers.FairLimit;
import io.sluice.handlers.MemoryShare;
import io.sluice.handlers.WebSocket.DropReason;
import io.sluice.offload.ClientNetwork;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The topics of a set with their subscribers, the messages on their way to them, and those that are kept. */
final class TopicTable {
    /** The number of messages that a subscriber catches up with at a time. */
    private static final int BATCH = 32;

    /** Computing a topic's entry locks the topic; subscribers are not called in there. */
    final ConcurrentHashMap<String, Topic> topics = new ConcurrentHashMap<>();
    final KeptMessages lastMessages;
    final KeptMessages history;
    final AtomicInteger subscribers = new AtomicInteger();
    /** Bytes of messages on their way to subscribers; those that come from a bus count for no client. */
    final FairLimit bytesUnderWay = new FairLimit(MemoryShare.UNDER_WAY);
    /** The bytes of messages that wait for those before them, in topics on a bus. */
    final AtomicLong bytesWaiting = new AtomicLong();
    final LongAdder recovered = new LongAdder();
    final LongAdder resyncs = new LongAdder();
    final LongAdder gaps = new LongAdder();

    private final Map<DropReason, LongAdder> dropped = new EnumMap<>(DropReason.class);
    private final Map<EventExecutor, FanOut> fanOuts = new ConcurrentHashMap<>();
    /** The epoch of topics without a message so far. */
    private volatile long epoch;

    TopicTable(TopicsConfig config) {
        beginEpoch();
        for (DropReason reason : DropReason.values()) {
            dropped.put(reason, new LongAdder());
        }
        lastMessages = keep(lastLimits(config));
        history = keep(historyLimits(config));
    }

    private KeptMessages keep(KeptMessages.Limits limits) {
        return new KeptMessages(limits, KeptMemory.OF_PROCESS, System::nanoTime, this::beginEpoch);
    }

    private static KeptMessages.Limits lastLimits(TopicsConfig config) {
        return KeptMessages.Limits.ofLast(config.lastMessages().bytes());
    }

    private static KeptMessages.Limits historyLimits(TopicsConfig config) {
        return config.history().map(limits ->
                new KeptMessages.Limits(limits.messages(), limits.age(), limits.bytes().bytes()))
                .orElse(KeptMessages.Limits.NONE);
    }

    /** Returns the count of messages that clients of event streams did not get. */
    @SuppressWarnings("NullAway") // there is one for each constant
    LongAdder dropped(DropReason reason) {
        return dropped.get(reason);
    }

    void update(TopicsConfig config) {
        lastMessages.limit(lastLimits(config));
        history.limit(historyLimits(config));
    }

    void close() {
        lastMessages.limit(KeptMessages.Limits.NONE);
        history.limit(KeptMessages.Limits.NONE);
    }

    FanOut fanOut(EventExecutor loop) {
        return fanOuts.computeIfAbsent(loop, FanOut::new);
    }

    /** Begins an epoch, since it is forgotten how many messages of a topic were in the one before. */
    private void beginEpoch() {
        epoch = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
    }

    /** Returns the position of a local topic's last message, or the beginning of an epoch. */
    Position localHead(String name, @Nullable Topic topic) {
        Position head = topic == null ? keptHead(name) : topic.head();
        return head == null ? new Position(epoch, 0) : head;
    }

    private @Nullable Position keptHead(String name) {
        Position head = history.head(name);
        return head == null ? lastMessages.head(name) : head;
    }

    /** Ends the epoch if nothing is left of a topic. */
    void forget(String name) {
        if (keptHead(name) == null) {
            beginEpoch();
        }
    }

    /** Returns whether too many messages are on their way to a topic's subscribers, or of a client. */
    boolean isBehind(Topic topic, @Nullable ClientNetwork client) {
        return topic.isBehind() || bytesUnderWay.isFull(client);
    }

    /**
     * Delivers a message to a topic's subscribers, and keeps it. Under the topic's lock.
     *
     * @param topic null if it has no subscribers
     * @param message stays the caller's
     * @param caughtUp is completed when all subscribers got it; null if nobody waits for that
     * @param client the publisher; null if it is not known
     */
    Delivery deliver(String name, @Nullable Topic topic, TopicMessage message,
                     @Nullable Promise<Void> caughtUp, @Nullable ClientNetwork client) {
        var delivery = new Delivery(message.retain(), caughtUp, bytesUnderWay, client);
        if (topic != null) {
            topic.deliver(delivery);
        }
        if (!message.isNotice()) {
            lastMessages.put(name, message);
            history.put(name, message);
        }
        return delivery;
    }

    /** Returns the first kept messages after a position, owned by the caller; null if that is not certain. */
    @Nullable List<TopicMessage> missed(String name, Position at) {
        return history.after(name, at, BATCH);
    }

    /**
     * Lets a subscriber that catches up join the others. Under the topic's lock.
     *
     * @param head the position of the topic's last message
     * @return what it gets first, owned by the caller: the last message or a notice; nothing if it is at head
     */
    List<TopicMessage> join(Topic topic, CatchUp catchUp, Position head) {
        topic.join(catchUp.subscriber(), catchUp.fanOut());
        catchUp.subscriber().catchUp = null;
        if (head.equals(catchUp.at())) {
            return List.of();
        }
        if (!catchUp.present()) {
            return List.of(resync(head));
        }
        TopicMessage last = lastMessages.last(catchUp.topic());
        return List.of(last == null ? TopicMessage.notice(TopicMessage.Kind.BEGIN, head) : last);
    }

    /** Counts a notice that messages up to a position may be missing, and returns it, owned by the caller. */
    TopicMessage resync(Position at) {
        resyncs.increment();
        return TopicMessage.notice(TopicMessage.Kind.RESYNC, at);
    }
}
