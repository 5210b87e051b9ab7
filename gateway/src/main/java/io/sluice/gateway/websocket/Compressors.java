package io.sluice.gateway.websocket;

import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayDeque;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The compressors of an event loop, which its sockets share: no context is taken over from one message to
 * the next, so none belongs to a socket for longer than a message takes.
 */
final class Compressors {
    /** Each holds some 40 KiB of native memory; those that are borrowed beyond this are ended. */
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

    /** Fast rather than small: an event loop compresses. */
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
    private final ArrayDeque<Inflater> inflaters = new ArrayDeque<>(KEPT);

    private Compressors() {
    }

    /** Those of this thread. */
    static Compressors ofThisThread() {
        return LOCAL.get();
    }

    /** For one message; reset. */
    Deflater deflater() {
        deflater.reset();
        return deflater;
    }

    /** For one message; to be given back. */
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
