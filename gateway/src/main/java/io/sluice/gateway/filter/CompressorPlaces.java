package io.sluice.gateway.filter;

import io.sluice.gateway.limits.DirectMemory;
import io.sluice.handlers.FairLimit;
import io.sluice.offload.ClientNetwork;

/**
 * Bounds the concurrent compressed streams on all routes, whose compressors count as direct memory. One
 * client may have half of them. Further streams are sent uncompressed. Thread-safe.
 */
final class CompressorPlaces {
    /** Native memory of a compressor in bytes. */
    private static final int COMPRESSOR = 384 * 1024;
    private static final int MOST = 256;
    /** Bytes of direct memory for each place. */
    private static final int MEMORY = 2 << 20;
    private static final FairLimit PLACES =
            new FairLimit(Math.min(MOST, DirectMemory.ofProcess().limit() / MEMORY));

    private CompressorPlaces() {
    }

    /** Takes a place, to be returned with {@link #giveBack}; false if there is none, or memory is short. */
    static boolean tryTake(ClientNetwork client) {
        boolean taken = !DirectMemory.isShort() && !PLACES.isFull(client);
        if (taken) {
            PLACES.add(client, 1);
            DirectMemory.count(COMPRESSOR);
        }
        return taken;
    }

    static void giveBack(ClientNetwork client) {
        DirectMemory.count(-COMPRESSOR);
        PLACES.add(client, -1);
    }
}
