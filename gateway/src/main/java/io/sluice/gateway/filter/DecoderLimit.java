package io.sluice.gateway.filter;

import io.netty.util.concurrent.FastThreadLocal;
import io.sluice.offload.ClientNetwork;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;

/**
 * Bounds the decoders of request bodies that an event loop keeps open from one turn to the next: one of zstd
 * holds up to some megabytes that no other bound counts. Large bodies have places of their own, as they keep
 * them for long. Clients get places in turn. Confined to its loop.
 */
final class DecoderLimit {
    /** Open decoders of a loop for bodies of one kind, large ones and others. */
    static final int MAX_PLACES = 16;

    /** The largest other body when decoded, in bytes; it takes about 8 turns. */
    private static final int LARGE = 1024 * 1024;

    private static final FastThreadLocal<DecoderLimit> OF_LARGE = local();
    private static final FastThreadLocal<DecoderLimit> OF_OTHERS = local();

    /** Waiting actions of each client; the clients are in the order of their turns. */
    private final LinkedHashMap<ClientNetwork, ArrayDeque<Runnable>> waiting = new LinkedHashMap<>();
    private int taken;

    private static FastThreadLocal<DecoderLimit> local() {
        return new FastThreadLocal<>() {
            @Override
            protected DecoderLimit initialValue() {
                return new DecoderLimit();
            }
        };
    }

    /**
     * Returns the limit of the event loop that runs the caller.
     *
     * @param limit the largest decoded body in bytes
     */
    static DecoderLimit ofThisLoop(long limit) {
        return (limit > LARGE ? OF_LARGE : OF_OTHERS).get();
    }

    /** Takes a place if one is free, and returns whether it was. */
    boolean acquire() {
        if (taken == MAX_PLACES) {
            return false;
        }
        taken++;
        return true;
    }

    /**
     * Waits for a place behind others of its client; the action then has it. To be called only if none is
     * free.
     */
    void await(ClientNetwork client, Runnable action) {
        waiting.computeIfAbsent(client, _ -> new ArrayDeque<>()).add(action);
    }

    /** Gives a place back, to the client that waits and whose turn it is. */
    void release() {
        var first = waiting.pollFirstEntry();
        if (first == null) {
            taken--;
            return;
        }
        ArrayDeque<Runnable> ofClient = first.getValue();
        Runnable next = ofClient.remove();
        if (!ofClient.isEmpty()) {
            waiting.putLast(first.getKey(), ofClient);
        }
        next.run();
    }
}
