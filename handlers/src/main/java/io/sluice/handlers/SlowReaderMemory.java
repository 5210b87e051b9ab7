package io.sluice.handlers;

import io.sluice.offload.ClientNetwork;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The direct memory of messages that wait for slow readers. Many clients may wait for one message, which
 * takes memory once. So a client is refused a message only if all together would exceed their share, and if
 * much waits for this client. Nothing is reserved for a client. Thread-safe.
 */
public final class SlowReaderMemory {
    public static final SlowReaderMemory OF_PROCESS = new SlowReaderMemory(MemoryShare.EIGHTH);
    /** The divisor of the share: what may wait for a client in any case. */
    private static final int PART = 8;
    /** The divisor of the share beyond which it is scarce. */
    private static final int SCARCE = 4;

    private final long limit;
    private final AtomicLong bytes = new AtomicLong();
    private final BytesByClient byClient = new BytesByClient();

    /** Creates memory with a limit in bytes. */
    public SlowReaderMemory(long limit) {
        this.limit = limit;
    }

    /** Returns the bytes of all messages that wait. */
    public long bytes() {
        return bytes.get();
    }

    /** Returns whether so much waits that messages should take as little memory as they can. */
    public boolean isScarce() {
        return bytes.get() > limit / SCARCE;
    }

    /** Counts a message that begins to wait for its first reader, or removes it if negative. */
    public void countMessage(long message) {
        bytes.addAndGet(message);
    }

    /** Counts bytes that wait for a client, or removes them if negative. */
    public void countFor(ClientNetwork client, long waiting) {
        byClient.add(client, waiting);
    }

    /** Returns whether more bytes fit into the share. */
    public boolean hasRoom(long more) {
        return bytes.get() + more <= limit;
    }

    /**
     * Returns whether a message may wait for a client though the share is used up. A client for which nothing
     * else waits may have one of any size.
     *
     * @param dropped the bytes of the client that would be dropped for it
     */
    public boolean hasRoomFor(ClientNetwork client, long message, long dropped) {
        long ofClient = byClient.of(client) - dropped;
        return ofClient == 0 || message <= limit / PART - ofClient;
    }
}
