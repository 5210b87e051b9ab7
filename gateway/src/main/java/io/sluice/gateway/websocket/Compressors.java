package io.sluice.gateway.websocket;

import io.netty.util.concurrent.FastThreadLocal;
import io.sluice.gateway.limits.DirectMemory;
import java.util.ArrayDeque;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The Deflater and Inflaters of one event loop, shared by its WebSockets. As no context is taken over from
 * one message to the next, a socket needs one only for the time of a message.
 */
final class Compressors {
    /**
     * The number of idle Inflaters that are kept; more than these are ended when they are given back. Further
     * ones that exist at a time, those of unfinished messages, count as direct memory.
     */
    static final int KEPT = 16;
    /** Native memory of an Inflater in bytes, of which the window of 32 KiB is the largest part. */
    static final int INFLATER = 40 * 1024;

    private static final FastThreadLocal<Compressors> LOCAL = new FastThreadLocal<>() {
        @Override
        protected Compressors initialValue() {
            return new Compressors();
        }

        @Override
        protected void onRemoval(Compressors compressors) {
            compressors.end();
        }
    };

    /** The fastest level, because it runs on the event loop. */
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
    private final ArrayDeque<Inflater> inflaters = new ArrayDeque<>(KEPT);
    private int borrowed;

    private Compressors() {
    }

    /** Returns the compressors of the calling thread, which is an event loop. */
    static Compressors ofThisThread() {
        return LOCAL.get();
    }

    /** Returns the Deflater of this thread, reset, for one message. */
    Deflater deflater() {
        deflater.reset();
        return deflater;
    }

    /** Returns an Inflater for one message, to be returned with {@link #giveBack}. */
    Inflater borrowInflater() {
        Inflater kept = inflaters.pollLast();
        Inflater next = kept != null ? kept : new Inflater(true); // counted below, as native memory may lack
        if (++borrowed > KEPT) {
            DirectMemory.count(INFLATER);
        }
        return next;
    }

    void giveBack(Inflater inflater) {
        if (borrowed-- > KEPT) {
            DirectMemory.count(-INFLATER);
        }
        if (inflaters.size() < KEPT) {
            inflater.reset();
            inflaters.addLast(inflater);
        } else {
            inflater.end();
        }
    }

    private void end() {
        DirectMemory.count(-(long) Math.max(0, borrowed - KEPT) * INFLATER);
        deflater.end();
        inflaters.forEach(Inflater::end);
    }
}
