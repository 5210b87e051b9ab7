package io.sluice.handlers.topic;

import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.rights.Caller;
import org.jspecify.annotations.Nullable;

/**
 * The part of a subscriber that is told who else is subscribed. For a slow client the newest state waits,
 * which stands for those before it.
 */
final class PresenceWatcher extends Subscriber implements FanOut.Work {
    private final PacedSubscriber client;
    private @Nullable SharedMessage waiting;

    PresenceWatcher(PacedSubscriber client) {
        this.client = client;
    }

    @Override
    protected void deliver(TopicMessage message) {
        drop();
        if (client.isWritable()) {
            client.sendPresence(message.raw());
        } else {
            waiting = message.raw().retain();
        }
    }

    /** Sends what waits, in turns with the other work of the event loop. */
    void sendWaiting() {
        FanOut turns = fanOut();
        if (waiting != null && turns != null) {
            turns.add(this);
        }
    }

    @Override
    public void send(long begunNanos) {
        SharedMessage state = waiting;
        if (state != null && client.isWritable()) {
            waiting = null;
            try {
                client.sendPresence(state);
            } catch (Throwable e) {
                fail(e);
            } finally {
                state.release();
            }
        }
    }

    @Override
    public boolean hasMore() {
        return false;
    }

    /** Drops what waits. */
    void drop() {
        if (waiting != null) {
            waiting.release();
            waiting = null;
        }
    }

    @Override
    protected boolean isWritable() {
        return client.isWritable();
    }

    @Override
    protected @Nullable Caller caller() {
        return client.caller();
    }

    @Override
    protected void forbidden() {
        // the subscriber reports it
    }

    @Override
    protected void fail(Throwable cause) {
        client.fail(cause);
    }
}
