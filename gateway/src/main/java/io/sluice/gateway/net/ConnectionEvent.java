package io.sluice.gateway.net;

/** A user event that all open connections get, and HTTP/2 passes on to its streams. */
public sealed interface ConnectionEvent {

    /** Draining has begun. */
    record Drain(long delayNanos, long windowNanos) implements ConnectionEvent {

        /**
         * The event for one of the streams of this connection; spreads the streams' tunnels over the window
         * as evenly.
         */
        public Drain ofStream(int stream, int streams) {
            return new Drain((delayNanos + windowNanos * stream) / streams, windowNanos);
        }
    }

    /**
     * Memory is short: a connection that waits for the rest of a request head or of a message, or a socket
     * with many unread responses, is refused, closed or reset, to release what it holds.
     *
     * @param heap whether the heap is short, which idle connections occupy, too: those without a request are
     *     closed
     */
    record MemoryShort(boolean heap) implements ConnectionEvent {
    }

    /** Memory is sufficient again, or a client's share of it: paused reads and writes continue. */
    record MemoryBack() implements ConnectionEvent {
    }

    /** The channel is closed next, even if requests still run. */
    record End() implements ConnectionEvent {
    }
}
