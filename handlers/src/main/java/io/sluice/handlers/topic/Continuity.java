package io.sluice.handlers.topic;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.SharedMessage;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the messages of a bus in the order of their positions, each once. Reads missing messages from the
 * bus's history, or notifies subscribers that they may have missed some. Does the same if messages arrive
 * faster than they can be sent.
 */
final class Continuity implements Bus.Receiver {
    /** The time until a failed read is repeated, or messages are read that arrived too fast. */
    private static final long RETRY_MILLIS = 100;
    /** The time after which some topics are checked. */
    static final long STEP_MILLIS = 1000;
    /** The time for which a message that the bus has may be under way to here. */
    private static final long UNDER_WAY_MILLIS = 1000;

    private final TopicTable table;
    private final EventExecutor executor;
    @SuppressWarnings("NullAway.Init") // set before a topic is subscribed
    private Bus.Channel channel;
    private Iterator<String> unchecked = Collections.emptyIterator();

    Continuity(TopicTable table, EventExecutor executor) {
        this.table = table;
        this.executor = executor;
    }

    /** Sets the channel from which it reads. */
    void reads(Bus.Channel from) {
        channel = from;
    }

    @Override
    public void subscribed(String name) {
        with(name, topic -> read(name, topic));
    }

    @Override
    public void message(String name, Position position, boolean text, ByteBuf payload) {
        var raw = new SharedMessage(text, payload);
        TopicMessage message = TopicMessage.of(position, raw);
        raw.release();
        try {
            with(name, topic -> accept(name, topic, message));
        } finally {
            message.release();
        }
    }

    @Override
    public void lost(String name) {
        with(name, topic -> topic.lost(HttpException.tryAgain(
                "topic: %s: the bus was lost".formatted(name), null)));
    }

    /**
     * Looks whether the last messages of some topics have come, which no later ones have told. Called each
     * {@link #STEP_MILLIS} in the executor, and is done with all topics within {@link Bus#CHECK_MILLIS}.
     */
    void check() {
        if (!unchecked.hasNext()) {
            unchecked = table.topics.keySet().iterator();
        }
        long some = table.topics.size() * STEP_MILLIS / Bus.CHECK_MILLIS + 1;
        for (long i = 0; i < some && unchecked.hasNext(); i++) {
            String name = unchecked.next();
            with(name, topic -> {
                Position head = topic.head();
                if (topic.state() == BusTopic.State.LIVE && head != null) {
                    readBeside(name, head);
                }
            });
        }
    }

    /** Reads beside the delivery, which goes on. What the bus has may still be under way to here. */
    private void readBeside(String name, Position head) {
        channel.read(name, head).whenComplete((seen, failure) -> {
            if (failure != null || seen == null) {
                return; // the next check looks again
            }
            seen.messages().forEach(TopicMessage::release);
            if (!seen.end().equals(head)) {
                executor.schedule(() -> with(name, topic -> requireArrived(name, topic, seen)),
                        UNDER_WAY_MILLIS, TimeUnit.MILLISECONDS);
            }
        });
    }

    private void requireArrived(String name, BusTopic topic, Bus.History seen) {
        Position head = topic.head();
        if (topic.state() != BusTopic.State.LIVE || head == null || seen.end().isCoveredBy(head)) {
            return;
        }
        if (seen.certain() || !seen.end().isOf(head.epoch())) {
            read(name, topic);
        } else {
            resync(name, topic, seen.end()); // not to a later end: messages behind this one may be under way
        }
    }

    private void with(String name, Consumer<BusTopic> action) {
        table.topics.computeIfPresent(name, (_, topic) -> {
            action.accept((BusTopic) topic);
            return topic;
        });
    }

    private void accept(String name, BusTopic topic, TopicMessage message) {
        Position head = topic.head();
        if (head != null && message.position().isCoveredBy(head)) {
            return; // it came from the history before
        }
        if (topic.state() == BusTopic.State.LIVE && deliver(name, topic, message)) {
            return;
        }
        topic.addWaiting(message);
        if (topic.state() == BusTopic.State.LIVE) {
            table.gaps.increment();
            readSoon(name, topic);
        }
    }

    /** Delivers a message, unless one before it is missing, or subscribers are too far behind. */
    private boolean deliver(String name, BusTopic topic, TopicMessage message) {
        Position head = topic.head();
        if (head == null || !message.position().follows(head) || table.isBehind(topic, null)) {
            return false;
        }
        table.deliver(name, topic, message, null, null).done();
        return true;
    }

    private void read(String name, BusTopic topic) {
        read(name, topic, topic.read());
    }

    private void readSoon(String name, BusTopic topic) {
        if (table.isBehind(topic, null)) {
            readLater(name, topic);
        } else {
            read(name, topic);
        }
    }

    private void readLater(String name, BusTopic topic) {
        long number = topic.read();
        executor.schedule(() -> with(name, same -> {
            if (same.isReading(number)) {
                read(name, same, number);
            }
        }), RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void read(String name, BusTopic topic, long number) {
        channel.readOn(name, topic.head()).whenComplete((history, failure) -> {
            try {
                with(name, same -> {
                    if (same.isReading(number)) {
                        arrived(name, same, history, failure);
                    }
                });
            } finally {
                if (history != null) {
                    history.messages().forEach(TopicMessage::release);
                }
            }
        });
    }

    private void arrived(String name, BusTopic topic, Bus.@Nullable History history,
                         @Nullable Throwable failure) {
        if (failure != null || history == null) {
            readLater(name, topic);
            return;
        }
        boolean more = false;
        Position head = topic.head();
        if (head == null) {
            begin(name, topic, history);
        } else if (!history.certain()) {
            resync(name, topic, topic.begin(history.end()));
        } else {
            if (!history.end().isOf(head.epoch())) {
                resync(name, topic, history.end().beginning());
            }
            for (TopicMessage message : history.messages()) {
                if (!deliver(name, topic, message)) {
                    readLater(name, topic);
                    return;
                }
                table.recovered.increment();
            }
            more = !history.end().equals(topic.head());
        }
        if (topic.takeOverflow() || more) {
            read(name, topic);
        } else {
            goOn(name, topic);
        }
    }

    private void begin(String name, BusTopic topic, Bus.History history) {
        topic.head(topic.begin(history.end()));
        putLast(name, topic, history);
    }

    private void resync(String name, BusTopic topic, Position at) {
        table.lastMessages.forget(name);
        table.history.forget(name);
        TopicMessage notice = table.resync(at);
        table.deliver(name, topic, notice, null, null).done();
        notice.release();
        keepLast(name);
    }

    /** Keeps the last message of the bus for later subscribers, unless this is still to be delivered. */
    private void keepLast(String name) {
        channel.read(name, null).whenComplete((last, failure) -> {
            if (failure == null && last != null) {
                try {
                    with(name, topic -> putLast(name, topic, last));
                } finally {
                    last.messages().forEach(TopicMessage::release);
                }
            }
        });
    }

    private void putLast(String name, BusTopic topic, Bus.History last) {
        if (last.end().equals(topic.head())) {
            last.messages().forEach(message -> table.lastMessages.put(name, message));
        }
    }

    /** Delivers the messages that arrived during a read. */
    private void goOn(String name, BusTopic topic) {
        topic.live();
        for (TopicMessage message : topic.takeWaiting()) {
            accept(name, topic, message);
            message.release();
        }
    }
}
