package io.sluice.gateway.net;

import java.util.concurrent.atomic.LongAdder;

/** Counts of tunnels: connections and streams that another protocol has taken over. Thread-safe. */
public final class TunnelCounts {
    private final LongAdder open = new LongAdder();
    private final LongAdder opened = new LongAdder();
    private final LongAdder bytesIn = new LongAdder();
    private final LongAdder bytesOut = new LongAdder();

    /** Counts a tunnel that has been opened. */
    public void addOpened() {
        open.increment();
        opened.increment();
    }

    /** Counts the end of a tunnel. */
    public void addClosed() {
        open.decrement();
    }

    /** Counts bytes that a tunnel has received. */
    public void addBytesIn(int bytes) {
        bytesIn.add(bytes);
    }

    /** Counts bytes that a tunnel has written. */
    public void addBytesOut(int bytes) {
        bytesOut.add(bytes);
    }

    /** Returns the number of open tunnels, each on a connection of its own or on a stream. */
    public long open() {
        return open.sum();
    }

    /** Returns the number of tunnels opened so far. */
    public long opened() {
        return opened.sum();
    }

    /** Returns how many bytes all tunnels have received. */
    public long bytesIn() {
        return bytesIn.sum();
    }

    /** Returns how many bytes all tunnels have written. */
    public long bytesOut() {
        return bytesOut.sum();
    }
}
