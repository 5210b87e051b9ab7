package io.sluice.gateway.net;

import io.netty.util.concurrent.EventExecutor;

/**
 * The time for which a connection may read before others on its event loop have their turn: one read can hold
 * many requests or messages, and a few bytes inflate to many.
 */
public final class ReadingTurn {
    private final EventExecutor loop;
    private final Runnable next;
    private long begun;
    private boolean reading;
    private boolean over;

    /**
     * A turn that begins with the first read.
     *
     * @param next is called when another turn begins after one was over
     */
    public ReadingTurn(EventExecutor loop, Runnable next) {
        this.loop = loop;
        this.next = next;
    }

    /** The loop reads from the connection, maybe several times until {@link #readEnds()}. */
    public void readBegins() {
        if (!reading) {
            reading = true;
            begun = System.nanoTime();
        }
    }

    /** The loop has read what there is. */
    public void readEnds() {
        reading = false;
    }

    /** Begins with something else than a read; false where the connection has to wait for its turn. */
    public boolean begins() {
        if (!reading) {
            begun = System.nanoTime();
        }
        return !over;
    }

    /** Tells whether the connection may go on; if not, it is called in its next turn. */
    public boolean goesOn() {
        if (!over && LoopTurns.isOver(begun)) {
            over = true;
            LoopTurns.ofThisLoop().add(loop, this::again);
        }
        return !over;
    }

    /** A read may go on for several tasks of the loop: what it has taken before does not count. */
    private void again() {
        over = false;
        begun = System.nanoTime();
        next.run();
    }
}
