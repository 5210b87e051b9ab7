package io.sluice.handlers;

import io.sluice.offload.ClientNetwork;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The direct memory of messages that wait for slow readers. Many clients may wait for one message, which
 * takes memory once. So a client is refused messages only while all together take more than their share,
 * and only if many wait for this client. Thread-safe.
 */
public final class SlowReaderMemory {
    public static final SlowReaderMemory OF_PROCESS = new SlowReaderMemory(MemoryShare.EIGHTH);
    /** The part of the share that a client has in any case. */
    private static final int PART = 8;

    private final long limit;
    private final AtomicLong bytes = new AtomicLong();
    private final BytesByClient byClient = new BytesByClient();

    SlowReaderMemory(long limit) {
        this.limit = limit;
    }

    /** Returns the bytes of all messages that wait. */
    public long bytes() {
        return bytes.get();
    }

    /** Counts a message that begins to wait for its first reader, or removes it if negative. */
    public void count(long message) {
        bytes.addAndGet(message);
    }

    /** Counts bytes that wait for a client, or removes them if negative. */
    public void count(ClientNetwork client, long waiting) {
        byClient.add(client, waiting);
    }

    /** Returns whether a message may wait for a client. One of any size always may. */
    public boolean hasRoom(ClientNetwork client, long message) {
        if (bytes.get() + message <= limit) {
            return true;
        }
        long ofClient = byClient.of(client);
        return ofClient == 0 || ofClient + message <= limit / PART;
    }
}
