package io.sluice.gateway.limits;

import io.netty.channel.ChannelFuture;
import io.sluice.handlers.BytesByClient;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.MemoryShare;
import io.sluice.offload.ClientNetwork;

/**
 * The memory of responses that clients have not read yet. Without a share for each client, one could make
 * direct memory short for all by many responses that it does not read. Pieces of up to 8 KiB do not count.
 * Thread-safe.
 */
public final class UnsentMemory {
    private static final BytesByClient HELD = new BytesByClient();

    /** Indicates that a client has read so much that its writers may go on. */
    private static volatile boolean freed;

    private UnsentMemory() {
    }

    /**
     * Returns whether the responses of a client take its share, {@link MemoryShare#EIGHTH}. A writer that
     * waits for room is woken like one that waits for memory.
     */
    public static boolean isFull(ClientNetwork client) {
        return HELD.of(client) > MemoryShare.EIGHTH;
    }

    /** Returns the refusal of a response for which there is no room. */
    public static HttpException refusal() {
        return HttpException.tryAgain("this client has not read other responses yet", null);
    }

    /** Counts a piece of a response for its client until it has been sent, or given up. */
    public static void count(ClientNetwork client, int bytes, ChannelFuture sent) {
        if (bytes > MemoryShare.FREE_BODY) {
            HELD.add(client, bytes);
            sent.addListener(_ -> giveBack(client, bytes));
        }
    }

    private static void giveBack(ClientNetwork client, int bytes) {
        long left = HELD.add(client, -bytes);
        if (left <= MemoryShare.EIGHTH && left + bytes > MemoryShare.EIGHTH) {
            freed = true;
        }
    }

    /** Returns whether writers may go on since the last call of this method. */
    static boolean takeFreed() {
        boolean any = freed;
        if (any) {
            freed = false;
        }
        return any;
    }
}
