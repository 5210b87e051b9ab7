package io.sluice.handlers.topic;

import io.sluice.config.topic.OverBudget;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.SlowReaderMemory;
import io.sluice.handlers.WebSocket.DropReason;
import io.sluice.offload.ClientNetwork;
import org.jspecify.annotations.Nullable;

/**
 * A subscriber whose client reads at a pace of its own. Messages wait here for a slow client, within a
 * budget. A client with positions is told where messages were dropped.
 */
public abstract class PacedSubscriber extends Subscriber {
    /** Null if no message waits, which is the usual case. */
    private @Nullable WaitingMessages waiting;

    /** Returns whether the client gets the positions of messages, and notices. */
    protected abstract boolean hasPositions();

    /** Sends a message or, to a client with positions, a notice; it stays the caller's. */
    protected abstract void send(TopicMessage message);

    /** Sends a state of presence, which stays the caller's. Called only after {@link Topics#watch}. */
    protected abstract void sendPresence(SharedMessage state);

    /** Counts a message that is not sent. */
    protected abstract void dropped(DropReason reason);

    /** Returns the client for which messages wait. */
    protected abstract ClientNetwork client();

    /** Returns the largest size of waiting messages, in bytes. */
    protected abstract long budget();

    /** Returns the reaction to messages beyond the budget. */
    protected abstract OverBudget overBudget();

    /** Ends this subscriber, since its client reads too slowly. All waiting messages were dropped. */
    protected abstract void tooSlow();

    /** Sends a message at once, or when the client reads again. */
    @Override
    protected final void deliver(TopicMessage message) {
        if (message.isNotice() && !hasPositions()) {
            return;
        }
        if (waiting == null && isWritable()) {
            send(message);
            return;
        }
        if (waiting == null) {
            waiting = new WaitingMessages(this, budget(), SlowReaderMemory.OF_PROCESS);
        }
        boolean goesOn = switch (overBudget()) {
            case DROP_OLDEST -> {
                waiting.addDroppingOldest(message);
                yield true;
            }
            case LATEST_ONLY -> waiting.replaceAll(message);
            case CLOSE -> waiting.addIfItFits(message);
        };
        if (!goesOn) {
            dropped(DropReason.TOO_SLOW);
            dropWaiting(DropReason.TOO_SLOW);
            tooSlow();
        }
    }

    /**
     * Sends waiting messages, in turns with the other work of the event loop. To be called when {@link
     * #isWritable()} becomes true again.
     */
    protected final void sendWaiting() {
        FanOut turns = fanOut();
        if (waiting == null) {
            resume();
        } else if (turns != null) {
            waiting.send(turns);
        }
        if (watcher != null) {
            watcher.sendWaiting();
        }
    }

    /** Goes on behind messages that have waited: all were sent. */
    final void sent(WaitingMessages all) {
        if (waiting == all) {
            waiting = null;
            resume();
        }
    }

    /** Drops waiting messages. To be called when the client has disconnected. */
    protected final void dropWaiting(DropReason reason) {
        if (waiting != null) {
            waiting.close(reason);
            waiting = null;
        }
    }
}
