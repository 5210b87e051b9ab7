package io.sluice.gateway.websocket;

import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayDeque;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The Deflater and Inflaters of one event loop, shared by its WebSockets. As no context is taken over from
 * one message to the next, a socket needs one only for the time of a message.
 */
final class Compressors {
    /**
     * The number of idle Inflaters that are kept, each with some 40 KiB of native memory; more than these are
     * ended when they are given back.
     */
    private static final int KEPT = 16;

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
        return kept != null ? kept : new Inflater(true);
    }

    void giveBack(Inflater inflater) {
        if (inflaters.size() < KEPT) {
            inflater.reset();
            inflaters.addLast(inflater);
        } else {
            inflater.end();
        }
    }

    private void end() {
        deflater.end();
        inflaters.forEach(Inflater::end);
    }
}
