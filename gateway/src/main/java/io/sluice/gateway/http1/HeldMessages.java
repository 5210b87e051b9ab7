package io.sluice.gateway.http1;

import io.netty.util.ReferenceCountUtil;
import io.sluice.gateway.net.ReadAhead;
import java.util.ArrayDeque;

/**
 * Messages that the decoder produced before they could be processed. While any are held, or the input is
 * paused, no more is decoded, and the input waits in {@link ReadAhead}.
 */
final class HeldMessages {
    private final ReadAhead readAhead;
    private final ArrayDeque<Object> messages = new ArrayDeque<>(4);
    private boolean paused;

    HeldMessages(ReadAhead readAhead) {
        this.readAhead = readAhead;
    }

    /**
     * Holds a message and takes its ownership.
     *
     * @param stopsReading whether no more is to be read ahead, too
     */
    void add(Object message, boolean stopsReading) {
        messages.add(message);
        if (!paused || stopsReading) {
            pause(stopsReading);
        }
    }

    /**
     * Stops the decoder until {@link #resume()}.
     *
     * @param stopsReading whether no more is to be read ahead
     */
    void pause(boolean stopsReading) {
        paused = true;
        readAhead.pause(stopsReading);
    }

    boolean isPaused() {
        return paused;
    }

    boolean isEmpty() {
        return messages.isEmpty();
    }

    /** Returns the next message without its ownership; null if there is none. */
    Object peek() {
        return messages.peek();
    }

    /** Returns the next message, owned by the caller. */
    Object poll() {
        return messages.poll();
    }

    /** Makes the decoder continue. */
    void resume() {
        paused = false;
        readAhead.resume();
    }

    /** Releases all messages and the input behind them. The rest of a read is decoded, to be dropped. */
    void release() {
        messages.forEach(ReferenceCountUtil::release);
        messages.clear();
        readAhead.clear();
        resume();
    }
}
