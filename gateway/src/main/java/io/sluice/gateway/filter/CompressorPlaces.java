package io.sluice.gateway.filter;

import io.sluice.gateway.limits.DirectMemory;
import java.util.concurrent.Semaphore;

/**
 * Bounds the concurrent compressed streams on all routes, whose compressors count as direct memory. Further
 * streams are sent uncompressed. Thread-safe.
 */
final class CompressorPlaces {
    /** Native memory of a compressor in bytes. */
    private static final int COMPRESSOR = 384 * 1024;
    private static final int MOST = 256;
    /** Bytes of direct memory for each place. */
    private static final int MEMORY = 2 << 20;
    private static final Semaphore PLACES =
            new Semaphore((int) Math.min(MOST, DirectMemory.ofProcess().limit() / MEMORY));

    private CompressorPlaces() {
    }

    /** Takes a place, to be returned with {@link #giveBack}; false if there is none, or memory is short. */
    static boolean tryTake() {
        boolean taken = !DirectMemory.isShort() && PLACES.tryAcquire();
        if (taken) {
            DirectMemory.count(COMPRESSOR);
        }
        return taken;
    }

    static void giveBack() {
        DirectMemory.count(-COMPRESSOR);
        PLACES.release();
    }
}
