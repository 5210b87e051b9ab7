package io.sluice.handlers.topic;

import io.sluice.handlers.rights.Caller;
import org.jspecify.annotations.Nullable;

/**
 * A receiver of a topic's messages. It is called on the event loop with which it was {@linkplain
 * Topics#subscribe subscribed}, and on no other thread.
 */
public abstract class Subscriber {
    /** The group, the index in it, and the number of the last message; maintained by the group. */
    @Nullable LoopSubscribers group;
    int index;
    long seen;
    /** The catch-up, until it is done and the subscriber is in a group; null otherwise. */
    @Nullable CatchUp catchUp;
    /** The state of its subscription to presence; null if it has not asked for presence. */
    @Nullable PresenceWatcher watcher;

    /**
     * Receives a message, or a notice of its position if it has asked for those.
     *
     * @param message retain it to keep it
     */
    protected abstract void deliver(TopicMessage message);

    /** Returns whether this accepts messages as fast as they are delivered. */
    protected abstract boolean isWritable();

    /** Ends this subscriber, which has missed a message since {@link #deliver} has failed. */
    protected abstract void fail(Throwable cause);

    /**
     * Returns the client, by which its rights are decided; null for a part of the gateway, which has all
     * rights, and is no member of the topic.
     */
    protected abstract @Nullable Caller caller();

    /** Ends this subscriber, since its caller may not subscribe to the topic any more. */
    protected abstract void forbidden();

    /** Returns whether this is subscribed: it gets messages, now or when it has caught up. */
    protected final boolean isSubscribed() {
        return group != null || catchUp != null;
    }

    /** Returns the turns of its event loop; null if it is not subscribed. */
    final @Nullable FanOut fanOut() {
        return group != null ? group.fanOut() : catchUp != null ? catchUp.fanOut() : null;
    }

    /** Continues a catch-up, if any. To be called when this becomes writable again. */
    final void resume() {
        if (catchUp != null) {
            catchUp.resume();
        }
    }
}
