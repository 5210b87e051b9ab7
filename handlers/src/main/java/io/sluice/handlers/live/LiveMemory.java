package io.sluice.handlers.live;

import io.sluice.handlers.BytesByClient;
import io.sluice.handlers.MemoryShare;
import io.sluice.offload.ClientNetwork;

/** The bytes of the results of all live queries, of which one client may cause half. Thread-safe. */
final class LiveMemory {
    static final LiveMemory OF_PROCESS = new LiveMemory(MemoryShare.EIGHTH);

    private final long limit;
    private final BytesByClient byClient = new BytesByClient();
    private long bytes;

    LiveMemory(long limit) {
        this.limit = limit;
    }

    /** Returns whether a client may cause no further bytes. */
    synchronized boolean isFull(ClientNetwork client) {
        return bytes >= limit || byClient.of(client) >= limit / 2;
    }

    synchronized long bytes() {
        return bytes;
    }

    /** Counts bytes that a client causes, or releases if negative; returns false if they are too many. */
    synchronized boolean add(ClientNetwork client, long added) {
        if (added > 0 && (bytes + added > limit || byClient.of(client) + added > limit / 2)) {
            return false;
        }
        bytes += added;
        byClient.add(client, added);
        return true;
    }
}
