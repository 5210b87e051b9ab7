package io.sluice.gateway.net;

import io.netty.util.concurrent.EventExecutor;
import io.sluice.gateway.loop.LoopTaskMeter;

/**
 * The time for which a connection may read before other connections of its event loop are served: one read
 * can hold many requests or messages, and a few compressed bytes inflate to many.
 */
public final class ReadingTurn {
    private final EventExecutor loop;
    private final Runnable next;
    private long begun;
    private boolean reading;
    /** Indicates whether the turn began with a read, in the round of the loop that goes on. */
    private boolean inRound;
    private boolean isFirstOfRead = true;
    private boolean over;

    /**
     * A turn that begins with the first read.
     *
     * @param next is called at the start of the next turn, after a turn was over
     */
    public ReadingTurn(EventExecutor loop, Runnable next) {
        this.loop = loop;
        this.next = next;
    }

    /** Notes a read from the connection, maybe one of several until {@link #onReadEnd()}. */
    public void onReadStart() {
        if (!reading) {
            reading = true;
            inRound = true;
            begun = System.nanoTime();
        }
    }

    /** Notes that the loop has read all input that was there. */
    public void onReadEnd() {
        reading = false;
        isFirstOfRead = true;
    }

    /** Begins a turn with work other than a read; false if the connection has to wait for its next turn. */
    public boolean tryBegin() {
        if (!reading) {
            begun = System.nanoTime();
        }
        return !over;
    }

    /**
     * Returns whether the connection may continue; if not, it is called in its next turn. Behind many others
     * in a round of its loop, a connection may process the first message of its read only.
     */
    public boolean tryContinue() {
        boolean first = isFirstOfRead;
        isFirstOfRead = false;
        if (!over && (LoopTurns.isOver(begun) || inRound && !first && LoopTaskMeter.isRoundOver())) {
            over = true;
            LoopTurns.ofThisLoop().add(loop, this::nextTurn);
        }
        return !over;
    }

    /**
     * Returns whether a connection whose reads are not noted may process the next message of a read. The
     * first one may always be: a client that awaits each response costs no look at the clock.
     */
    public boolean tryContinueRead() {
        if (isFirstOfRead) {
            isFirstOfRead = false;
            return true;
        }
        onReadStart();
        return tryContinue();
    }

    /** Returns whether the connection waits for its next turn. */
    public boolean isOver() {
        return over;
    }

    /** Starts a new turn. A read can span several tasks of the loop: time before this task does not count. */
    private void nextTurn() {
        over = false;
        inRound = false;
        begun = System.nanoTime();
        next.run();
    }
}
