package io.sluice.gateway.filter;

import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayDeque;

/**
 * Bounds the decoders of request bodies that an event loop keeps open from one turn to the next: one of zstd
 * holds up to some megabytes that no other bound counts. Confined to its loop.
 */
final class DecoderPlaces {
    /** Open decoders of a loop. */
    static final int MOST = 16;

    private static final FastThreadLocal<DecoderPlaces> LOCAL = new FastThreadLocal<>() {
        @Override
        protected DecoderPlaces initialValue() {
            return new DecoderPlaces();
        }
    };

    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private int taken;

    /** Returns the places of the event loop that runs the caller. */
    static DecoderPlaces ofThisLoop() {
        return LOCAL.get();
    }

    /** Takes a place if one is free, and returns whether it was. */
    boolean take() {
        if (taken == MOST) {
            return false;
        }
        taken++;
        return true;
    }

    /** Waits for a place behind others; the action then has it. To be called only if none is free. */
    void await(Runnable action) {
        waiting.add(action);
    }

    /** Gives a place back, to whoever waits. */
    void leave() {
        Runnable next = waiting.poll();
        if (next == null) {
            taken--;
        } else {
            next.run();
        }
    }
}
