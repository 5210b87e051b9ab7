package io.sluice.handlers.topic;

import io.sluice.handlers.SharedMessage;

/**
 * A receiver of a topic's messages. It is called on the event loop with which it was {@linkplain
 * Topics#subscribe subscribed}, and on no other thread.
 */
public abstract class Subscriber {
    /** The group, the index in it, and the number of the last message; maintained by the group. */
    @SuppressWarnings("NullAway.Init") // set when it joins, and used when it leaves
    LoopSubscribers group;
    int index;
    long seen;

    /**
     * Receives a message.
     *
     * @param message retain it to keep it
     */
    protected abstract void deliver(SharedMessage message);

    /** Ends this subscriber, since {@link #deliver} has failed: it has missed a message. */
    protected abstract void fail(Throwable cause);
}
