package io.sluice.handlers.topic;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.presence.Roster;
import io.sluice.offload.ClientNetwork;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Carries the messages of topics between gateways. A bus assigns each message its position, passes it to the
 * subscribed gateways, and keeps some messages for a while. Thread-safe. No method blocks except
 * {@link #close()}. Receivers are called, and reads completed, on threads of the bus and never within a call.
 */
public interface Bus extends AutoCloseable {
    /** The interval at which a gateway checks whether it has all messages of its topics. */
    long CHECK_MILLIS = 180_000;

    /**
     * Opens a set of topics. Gateways that open a set of the same name share its topics.
     *
     * @param keep the messages that the bus keeps for {@link Channel#read}
     */
    Channel open(String set, Keep keep, Receiver receiver);

    /** Returns the thread of the bus. */
    EventExecutor executor();

    /** Returns the state of the bus. */
    State state();

    /** Closes the connections. Publications that are under way fail. Blocks for a moment. */
    @Override
    void close();

    /**
     * The messages that a bus keeps of each topic.
     *
     * @param messages their number, about; 0 for none
     * @param ageMillis the time for which they are kept, about
     */
    record Keep(int messages, long ageMillis) {
    }

    /**
     * An idempotency key, which a bus remembers for an hour after its last use.
     *
     * @param after the key of the message that precedes in the topic: without that one the bus refuses the
     *     message; null for none
     */
    record Key(String text, @Nullable String after) {

        /** Returns a key without a preceding one; null for null. */
        public static @Nullable Key of(@Nullable String text) {
            return text == null ? null : new Key(text, null);
        }
    }

    /**
     * The state of a bus.
     *
     * @param connected whether it can publish and receive
     * @param problem the cause if it is not; null otherwise
     * @param underWay the number of publications that are not answered
     */
    record State(boolean connected, @Nullable String problem, int underWay) {
    }

    /** A set of topics on a bus, for one gateway. */
    interface Channel extends AutoCloseable {

        /**
         * Publishes a message. Those of one caller to a topic keep their order.
         *
         * @param message stays the caller's
         * @param key a message with the same one as an earlier message of the topic is not published again,
         *     and gets the position of that; null for none
         * @param client the publisher; null for the gateway itself
         * @return completes with the position when the bus has the message. Fails with 503 if the bus has
         *     refused it, or has not answered in time: then it may have it, which the error says
         */
        CompletableFuture<Position> publish(String topic, SharedMessage message, @Nullable Key key,
                                            @Nullable ClientNetwork client);

        /** Has the receiver get the messages of a topic, also after the connection was lost. */
        void subscribe(String topic);

        /** Ends a subscription. */
        void unsubscribe(String topic);

        /** Returns whether the part of the bus that has a topic is connected. */
        boolean isConnected(String topic);

        /**
         * Reads kept messages of a topic: the first ones after a position, as many as fit.
         *
         * @param after null for the last message only
         */
        CompletableFuture<History> read(String topic, @Nullable Position after);

        /**
         * Reads like {@link #read}, but if the epoch of the position has ended, the messages of the present
         * epoch from its first one on, if that is kept.
         */
        default CompletableFuture<History> readOn(String topic, @Nullable Position after) {
            return read(topic, after).thenCompose(history -> after == null || history.certain()
                    || history.end().isOf(after.epoch()) || history.end().offset() == 0
                    ? CompletableFuture.completedFuture(history)
                    : read(topic, history.end().beginning()));
        }

        /** Returns the roster of the members of topics, on all gateways that open the set. */
        Roster roster();

        /** Changes the limits of kept messages, from the next messages on. */
        void keep(Keep keep);

        /** Ends all subscriptions. */
        @Override
        void close();
    }

    /**
     * Messages of a topic, from the oldest on.
     *
     * @param end the position of the topic's last message, or the beginning of its epoch
     * @param certain whether the messages follow the given position without a gap, and reach the end or are
     *     at least one; if not, there are none
     * @param messages owned by the receiver
     */
    record History(Position end, boolean certain, List<TopicMessage> messages) {
    }

    /** Receives the messages of a set of topics. */
    interface Receiver {

        /** Called when a subscription is in effect: messages that are published from here on will come. */
        void subscribed(String topic);

        /**
         * Called with a message. Those of a topic come in their order, but some may be missing.
         *
         * @param payload owned by the receiver from here on
         */
        void message(String topic, Position position, boolean text, ByteBuf payload);

        /** Called when no messages of a topic come any more, until it is subscribed again. */
        void lost(String topic);
    }
}
